"""The page of statistics: the numbers of ``corefbench stats`` for names, paths and uploads."""

import json

import pytest
from typer.testing import CliRunner

from corefbench.analysis.statistics import describe
from corefbench.cli.main import app
from corefbench.errors import CorefbenchError, DataError, UsageError
from corefbench.report.statistics import statistics_to_dict
from corefbench.web.rendering import encode_json
from corefbench.workbench.storage import Workbench
from tests.unit.runs.samples import KEY
from tests.unit.workbench.samples import html, page


@pytest.fixture
def bench(tmp_path) -> Workbench:
    return Workbench(tmp_path)


def test_without_a_corpus_the_page_teaches(bench: Workbench) -> None:
    some = page(bench, "statistics")
    assert some.model["table"] is None
    assert "Begin here" in html(some)


def test_the_twin_has_the_numbers_unrounded(bench: Workbench) -> None:
    twin = json.loads(encode_json(page(bench, "statistics", corpus=str(KEY))))
    assert twin["values"] == json.loads(json.dumps(statistics_to_dict(describe(KEY))))


def test_an_upload_and_a_path_are_counted_alike(bench: Workbench) -> None:
    bench.keep_upload("mine.conll", KEY.read_bytes())
    (name,) = [one.name for one in page(bench, "statistics").model["choices"] if one.group == "Uploads"]
    by_name = page(bench, "statistics", corpus=name).model["values"]
    by_path = page(bench, "statistics", path=str(KEY)).model["values"]
    assert {**by_name, "corpus": ""} == {**by_path, "corpus": ""}


def test_a_training_corpus_adds_what_it_lacks(bench: Workbench) -> None:
    model = page(bench, "statistics", corpus=str(KEY), train=str(KEY)).model
    assert model["values"]["oov_rate"] == 0
    assert "Training tokens" in dict(model["table"].rows)


def test_groups_are_rows(bench: Workbench) -> None:
    model = page(bench, "statistics", corpus=str(KEY), by="document").model
    assert [row[0] for row in model["table"].rows] == [*describe(KEY, by="document").groups, "all"]


def test_a_file_that_changes_is_counted_again(bench: Workbench, tmp_path) -> None:
    import os

    path = tmp_path / "x.conll"
    path.write_bytes(KEY.read_bytes())
    before = page(bench, "statistics", corpus=str(path)).model["values"]
    path.write_text("#begin document (a); part 000\na 0 0 Ann (1)\n#end document\n")
    os.utime(path, ns=(1, 1))
    after = page(bench, "statistics", corpus=str(path)).model["values"]
    assert (before["documents"], after["tokens"]) == (describe(KEY).counts.inventory.documents, 1)


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ({"corpus": "/no/such/file"}, DataError),
        ({"corpus": "/dev/zero"}, DataError),
        ({"corpus": "-"}, DataError),
        ({"corpus": "upload:../../secret"}, UsageError),
        ({"corpus": "bundled", "scope": "galaxy"}, UsageError),
        ({"corpus": "bundled", "by": "colour"}, UsageError),
        ({"corpus": "bundled", "train": "/no/such/file"}, DataError),
        ({"corpus": "a\0b"}, UsageError),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_code(bench: Workbench, query, error) -> None:
    with pytest.raises(error) as caught:
        page(bench, "statistics", **query)
    assert isinstance(caught.value, CorefbenchError)
    assert caught.value.code.startswith("CB")


def test_the_command_that_a_page_prints_works(tmp_path):
    command = page(Workbench(tmp_path), "statistics", corpus="bundled").model["command"]
    assert command == "corefbench stats bundled --lenient"
    done = CliRunner().invoke(app, command.split()[1:])
    assert done.exit_code == 0, done.output
