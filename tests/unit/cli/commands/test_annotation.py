"""Merging annotations and their agreement, as commands."""

import json
from functools import partial

import pytest

from corefbench.errors import CorefbenchError, MissingExtra, UsageError
from corefbench.formats.load import load
from tests import cli
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


run = partial(cli.run, "agreement")


def test_json_has_pairs_means_and_alpha(annotations):
    result = json.loads(run(*annotations, "--format", "json"))
    assert result["annotators"] == ["one.conll", "two.conll", "three.conll"]
    assert [pair["scores"]["muc"]["f1"] for pair in result["pairs"]] == pytest.approx([2 / 3, 4 / 5, 2 / 5])
    assert result["mean"]["f1"]["muc"] == pytest.approx((2 / 3 + 4 / 5 + 2 / 5) / 3)
    assert set(result["alpha"]) == {"passonneau", "masi", "jaccard", "dice", "binary"}


def test_tables_show_quality_before_and_after_merging(annotations):
    text = run(*annotations, "--key", annotations[0], "--by", "document")
    for words in ("mean of MUC, B³, CEAFe", "once", "merge of two", "vote of 3", "by document"):
        assert words in text


@pytest.mark.parametrize("shape", ["csv", "markdown", "latex", "html"])
def test_every_format_of_agreement_names_the_annotators(annotations, shape):
    assert "three.conll" in run(*annotations, "--format", shape)


def test_a_chart_of_agreement_is_drawn(annotations, tmp_path):
    pytest.importorskip("altair")
    chart = tmp_path / "agreement.svg"
    try:
        run(*annotations, "--chart", chart)
    except MissingExtra:
        pytest.skip("vl-convert is not installed")
    assert "66.7" in chart.read_text(encoding="utf-8")


def test_wrong_options_of_agreement_are_refused(annotations):
    with pytest.raises(UsageError):
        run(*annotations, "--missing", "guess")
    with pytest.raises(UsageError):
        run(*annotations, "--by", "colour")
    with pytest.raises(UsageError):
        run(annotations[0])


SENTENCE = ["Ann", "saw", "Bea", ".", "She", "waved", "."]


@pytest.fixture
def disagreeing(tmp_path):
    """Two annotators who do not agree on who waved."""
    for name, she in (("a", "(1)"), ("b", "(2)")):
        cells = ("(1)", "-", "(2)", "-", "", she, "-", "-")
        (tmp_path / f"{name}.conll").write_bytes(conll(*cells, words=SENTENCE))
    return tmp_path / "a.conll", tmp_path / "b.conll"


run_merge = partial(cli.invoke, "merge")


def test_conflicts_go_out_and_come_back(disagreeing, tmp_path):
    asked, merged = tmp_path / "asked.txt", tmp_path / "merged.jsonl"
    first = run_merge(*disagreeing, "-o", merged, "--conflicts", asked, "--output-format", "jsonlines")
    assert "Chains            1                    0                    1" in first.stdout
    assert len(load(merged).chains) == 3
    text = asked.read_text(encoding="utf-8").replace("decision: ?", "decision: B")
    asked.write_text(text, encoding="utf-8")
    second = run_merge(*disagreeing, "-o", merged, "--decisions", asked, "--format", "json")
    result = json.loads(second.stdout)
    assert result["conflicts"][0]["decision"] == "B"
    assert [len(chain) for chain in load(merged)[0].chains] == [1, 2]


def test_json_accounts_for_every_mention_and_link(disagreeing):
    result = json.loads(run_merge(*disagreeing, "--format", "json").stdout)
    assert result["accounts"][0] == {
        "annotator": "a.conll",
        "documents": 1,
        "mentions": {"marked": 3, "kept": 3, "dropped": 0, "added": 0},
        "links": {"marked": 1, "kept": 0, "dropped": 1, "added": 0},
    }
    assert result["rule"] == {"mentions": "any", "links": "any", "ties": "split"}


def test_the_merged_annotation_can_be_printed(disagreeing):
    done = run_merge(*disagreeing, "-o", "-", "--output-format", "conll", "--rule", "vote")
    assert done.stdout.startswith("#begin document (d)")
    assert done.stderr.startswith("Merged:")


@pytest.mark.parametrize("shape", ["csv", "markdown", "latex", "html"])
def test_every_format_of_a_merge_names_the_annotators(disagreeing, shape):
    assert "a.conll" in run_merge(*disagreeing, "--format", shape).stdout


def test_a_chart_of_a_merge_is_drawn(disagreeing, tmp_path):
    pytest.importorskip("altair")
    chart = tmp_path / "merge.svg"
    try:
        run_merge(*disagreeing, "--chart", chart)
    except MissingExtra:
        pytest.skip("vl-convert is not installed")
    assert "from others" in chart.read_text(encoding="utf-8")


def test_wrong_options_of_a_merge_are_refused(disagreeing, tmp_path):
    with pytest.raises(UsageError):
        run_merge(*disagreeing, "--rule", "king")
    with pytest.raises(CorefbenchError):
        run_merge(*disagreeing, "-o", tmp_path / "out.unknown")
