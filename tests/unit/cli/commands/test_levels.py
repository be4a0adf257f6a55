"""``corefbench levels``: what it prints, draws and refuses."""

import json
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from corefbench.errors import UnknownName
from tests import cli
from tests.golden.test_scoring_levels import KEY, MERGED


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    key, response = tmp_path / "key.conll", tmp_path / "merged.conll"
    key.write_bytes(KEY)
    response.write_bytes(MERGED)
    return str(key), str(response)


run = partial(cli.run, "levels")


def test_json_records_clustering_scope_and_level_apart(files: tuple[str, str]) -> None:
    result = json.loads(run(*files, "--format", "json"))
    first = result["rows"][0]
    assert (first["clustering_scope"], first["level"], first["singletons"]) == ("topic", "subtopic", True)
    assert first["clustering_scope_derived"]
    assert "|scope:subtopic|clustering_scope:topic|" in first["signature"]
    assert result["detection"]["merged.conll"]["f1"] == 1.0


def test_a_given_scope_is_not_derived(files: tuple[str, str]) -> None:
    result = json.loads(run(*files, "-f", "json", "--clustering-scope", "subtopic"))
    assert {row["clustering_scope"] for row in result["rows"]} == {"subtopic", "document"}
    assert not result["rows"][0]["clustering_scope_derived"]


def test_the_table_has_the_levels_that_were_asked_for(files: tuple[str, str]) -> None:
    text = run(*files, "--levels", "document,topic", "--quiet")
    rows = [line.split() for line in text.splitlines() if line.startswith("merged.conll ")]
    assert [row[3:5] for row in rows[:4]] == [
        ["document", "with"],
        ["document", "without"],
        ["topic", "with"],
        ["topic", "without"],
    ]
    assert "its chains, by their labels, reach across the subtopics of a topic." in text


@pytest.mark.parametrize("format", ["markdown", "latex", "csv", "html"])
def test_other_formats_have_the_tables(files: tuple[str, str], format: str) -> None:
    assert "without" in run(*files, "--format", format, "--quiet")


@pytest.mark.skipif(find_spec("vl_convert") is None, reason="needs the extra charts")
def test_the_chart_is_drawn(files: tuple[str, str], tmp_path: Path) -> None:
    run(*files, "--chart", tmp_path / "chart.svg", "--quiet")
    assert "merged.conll, gold mentions" in (tmp_path / "chart.svg").read_text(encoding="utf-8")


def test_an_unknown_level_is_refused(files: tuple[str, str]) -> None:
    with pytest.raises(UnknownName, match="region"):
        run(*files, "--levels", "region")
    with pytest.raises(UnknownName, match="region"):
        run(*files, "--clustering-scope", "region")
