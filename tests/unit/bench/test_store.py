"""The run file: everything back, and nothing taken for what it is not."""

import json
from pathlib import Path

import pytest

from corefbench.bench.plan import Plan
from corefbench.bench.run import run_bench
from corefbench.bench.store import open_run, save
from corefbench.errors import FormatError
from corefbench.report.bench import report_bench
from tests.unit.bench.texts import corpus


def test_a_comparison_comes_back_as_it_was(tmp_path: Path) -> None:
    bench = run_bench(corpus(), Plan(resolvers=("most-recent", "random"), mode="annotated"))
    path = tmp_path / "runs" / "run.json"
    save(bench, path)
    again = open_run(path)
    assert again == bench
    assert report_bench(again, "json") == report_bench(bench, "json")
    assert report_bench(again, "html") == report_bench(bench, "html")
    assert [file.name for file in path.parent.iterdir()] == ["run.json"]


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\x00", b'{"schema": 1, "kind": "bench"}'])
def test_what_is_no_run_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="not a run file"):
        open_run(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="not a run file"):
        open_run(tmp_path / "none.json")


def test_a_run_file_of_another_version_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    save(run_bench(corpus(), Plan(resolvers=("random",), mode="annotated")), path)
    content = json.loads(path.read_bytes())
    path.write_text(json.dumps({**content, "schema": 99}))
    with pytest.raises(FormatError, match="another version"):
        open_run(path)
