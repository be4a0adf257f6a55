"""``corefbench merge``: files in, a file out, conflicts answered and given back."""

import json

import pytest
from typer.testing import CliRunner

from corefbench.cli.main import app
from corefbench.errors import CorefbenchError, MissingExtra, UsageError
from corefbench.formats.load import load
from tests.conll import conll

WORDS = ["Ann", "saw", "Bea", ".", "She", "waved", "."]


@pytest.fixture
def annotations(tmp_path):
    """Two annotators who do not agree on who waved."""
    for name, she in (("a", "(1)"), ("b", "(2)")):
        cells = ("(1)", "-", "(2)", "-", "", she, "-", "-")
        (tmp_path / f"{name}.conll").write_bytes(conll(*cells, words=WORDS))
    return tmp_path / "a.conll", tmp_path / "b.conll"


def run(*arguments):
    done = CliRunner().invoke(app, ["merge", *map(str, arguments)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_conflicts_go_out_and_come_back(annotations, tmp_path):
    asked, merged = tmp_path / "asked.txt", tmp_path / "merged.jsonl"
    first = run(*annotations, "-o", merged, "--conflicts", asked, "--output-format", "jsonlines")
    assert "Chains            1                    0                    1" in first.stdout
    assert len(load(merged).chains) == 3
    text = asked.read_text(encoding="utf-8").replace("decision: ?", "decision: B")
    asked.write_text(text, encoding="utf-8")
    second = run(*annotations, "-o", merged, "--decisions", asked, "--format", "json")
    made = json.loads(second.stdout)
    assert made["conflicts"][0]["decision"] == "B"
    assert [len(chain) for chain in load(merged)[0].chains] == [1, 2]


def test_json_accounts_for_every_mention_and_link(annotations):
    made = json.loads(run(*annotations, "--format", "json").stdout)
    assert made["accounts"][0] == {
        "annotator": "a.conll",
        "documents": 1,
        "mentions": {"marked": 3, "kept": 3, "dropped": 0, "added": 0},
        "links": {"marked": 1, "kept": 0, "dropped": 1, "added": 0},
    }
    assert made["rule"] == {"mentions": "any", "links": "any", "ties": "split"}


def test_the_merged_annotation_can_be_printed(annotations):
    done = run(*annotations, "-o", "-", "--output-format", "conll", "--rule", "vote")
    assert done.stdout.startswith("#begin document (d)")
    assert done.stderr.startswith("Merged:")


@pytest.mark.parametrize("shape", ["csv", "markdown", "latex", "html"])
def test_every_format_names_the_annotators(annotations, shape):
    assert "a.conll" in run(*annotations, "--format", shape).stdout


def test_a_chart_is_drawn(annotations, tmp_path):
    pytest.importorskip("altair")
    chart = tmp_path / "merge.svg"
    try:
        run(*annotations, "--chart", chart)
    except MissingExtra:
        pytest.skip("vl-convert is not installed")
    assert "from others" in chart.read_text(encoding="utf-8")


def test_mistakes_are_explained(annotations, tmp_path):
    with pytest.raises(UsageError):
        run(*annotations, "--rule", "king")
    with pytest.raises(CorefbenchError):
        run(*annotations, "-o", tmp_path / "out.unknown")
