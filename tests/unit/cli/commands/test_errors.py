"""``corefbench errors``: what it prints, writes and refuses."""

import json
from pathlib import Path

import pytest

from corefbench.errors import UnknownName, UsageError
from tests import cli

EXAMPLES = Path(__file__).parents[4] / "examples"
KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "eager.response.conll"


def run(*arguments):
    return cli.run("errors", KEY, RESPONSE, *arguments)


def test_it_prints_three_taxonomies():
    text = run()
    assert [text.count(word) for word in ("Chen", "Kummerfeld", "Martschat")] == [1, 1, 1]


@pytest.mark.parametrize("name", ["decisions", "preco"])
def test_a_taxonomy_has_the_name_of_its_authors_too(name):
    assert set(json.loads(run("-t", name, "-f", "json"))["errors"]) == {"decisions"}


def test_a_class_and_a_stratum_select_errors():
    result = json.loads(run("--class", "wrong-link", "--only", "type=pronoun", "-f", "json"))
    # The key has 16 anaphoric pronouns; the response links all of them, 11 rightly.
    assert list(result["errors"]) == ["decisions"]
    assert result["errors"]["decisions"]["wrong-link"] == 5


def test_examples_and_width():
    text = run("-t", "decisions", "-n", 1, "--width", 1)
    assert "repaired [it] the" in text


def test_training_gives_the_share_of_low_frequency_words():
    assert "Low-frequency" in run("--train", KEY)


@pytest.mark.parametrize("format", ["table", "json", "markdown", "latex", "csv", "html"])
def test_every_format_is_written(format, tmp_path):
    target = tmp_path / "deep" / "errors.txt"
    assert run("-f", format, "-n", 1, "--by", "type", "-o", target) == ""
    assert "wrong-link" in target.read_text(encoding="utf-8")


def test_a_chart_is_drawn(tmp_path):
    pytest.importorskip("altair")
    run("--by", "distance", "--chart", tmp_path / "a.svg")
    assert "Sentences to the antecedent" in (tmp_path / "a.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("-t", "kumerfeld"), UnknownName),
        (("--class", "wrong"), UnknownName),
        (("--by", "colour"), UnknownName),
        (("--only", "type"), UsageError),
        (("--only", "colour=red"), UsageError),
        (("--antecedents", "far"), UnknownName),
        (("--match", "exactly"), UnknownName),
        (("-f", "xml"), UsageError),
        (("--chart", "a.gif"), UsageError),
    ],
)
def test_nonsense_is_refused(arguments, error):
    with pytest.raises(error):
        run(*arguments)
