"""``corefbench agreement``: tables, values, a chart."""

import json

import pytest
from typer.testing import CliRunner

from corefbench.cli.main import app
from corefbench.errors import MissingExtra, UsageError
from tests.conll import conll

WORDS = list("abcde")
CELLS = {
    "one": ("(1)", "(1)", "(1)", "(2)", "(2)"),
    "two": ("(1)", "(1)", "(2)", "(2)", "(2)"),
    "three": ("(1)", "(1)", "(1)", "-", "-"),
}


@pytest.fixture
def annotations(tmp_path):
    for name, cells in CELLS.items():
        (tmp_path / f"{name}.conll").write_bytes(conll(*cells, words=WORDS))
    return [tmp_path / f"{name}.conll" for name in CELLS]


def run(*arguments):
    done = CliRunner().invoke(app, ["agreement", *map(str, arguments)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.stdout


def test_json_has_pairs_means_and_alpha(annotations):
    made = json.loads(run(*annotations, "--format", "json"))
    assert made["annotators"] == ["one.conll", "two.conll", "three.conll"]
    assert [pair["scores"]["muc"]["f1"] for pair in made["pairs"]] == pytest.approx(
        [2 / 3, 4 / 5, 2 / 5]
    )
    assert made["mean"]["f1"]["muc"] == pytest.approx((2 / 3 + 4 / 5 + 2 / 5) / 3)
    assert set(made["alpha"]) == {"passonneau", "masi", "jaccard", "dice", "binary"}


def test_tables_show_quality_before_and_after_merging(annotations):
    text = run(*annotations, "--key", annotations[0], "--by", "document")
    for words in ("mean of MUC, B³, CEAFe", "once", "merge of two", "vote of 3", "by document"):
        assert words in text


@pytest.mark.parametrize("shape", ["csv", "markdown", "latex", "html"])
def test_every_format_names_the_annotators(annotations, shape):
    assert "three.conll" in run(*annotations, "--format", shape)


def test_a_chart_is_drawn(annotations, tmp_path):
    pytest.importorskip("altair")
    chart = tmp_path / "agreement.svg"
    try:
        run(*annotations, "--chart", chart)
    except MissingExtra:
        pytest.skip("vl-convert is not installed")
    assert "66.7" in chart.read_text(encoding="utf-8")


def test_mistakes_are_explained(annotations):
    with pytest.raises(UsageError):
        run(*annotations, "--missing", "guess")
    with pytest.raises(UsageError):
        run(*annotations, "--by", "colour")
    with pytest.raises(UsageError):
        run(annotations[0])
