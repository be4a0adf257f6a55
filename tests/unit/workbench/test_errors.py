"""The page of errors: the counts of the analysis, and the way into the text."""

import json
import re

import pytest

from corefbench.analysis.errors import error_analysis
from corefbench.errors import UnknownName, UsageError
from corefbench.web.rendering import encode_json
from corefbench.workbench.mentions import list_mentions
from corefbench.workbench.storage import Workbench
from tests.unit.runs.samples import KEY, RESPONSES
from tests.unit.workbench.samples import html, page, workbench


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    return workbench(tmp_path_factory.mktemp("workbench"))


def test_counts_and_repaired_scores_are_those_of_the_analysis(bench: Workbench) -> None:
    twin = json.loads(encode_json(page(bench, "errors", run="scores", response="eager")))
    analysis = error_analysis(KEY, RESPONSES["eager"])
    for taxonomy in twin["taxonomies"]:
        found = {one["name"]: one["count"] for one in taxonomy["classes"]}
        assert found == analysis.counts[taxonomy["name"]]
    fixed = {row.kind: row for row in analysis.if_fixed()}
    operations = next(one for one in twin["taxonomies"] if one["name"] == "operations")
    for one in operations["classes"]:
        assert one["if_fixed"] == fixed[one["name"]].alone["conll"]
    assert twin["after"] == pytest.approx(1.0)


def test_a_class_lists_all_its_errors_page_by_page(bench: Workbench) -> None:
    whole = page(bench, "errors", run="scores", response="cautious").model
    for error_class in (row for taxonomy in whole["taxonomies"] for row in taxonomy["classes"]):
        query = {"run": "scores", "response": "cautious", "class": error_class["name"]}
        seen = []
        for number in range(1, page(bench, "errors", **query).model["pages"] + 1):
            seen += page(bench, "errors", page=str(number), **query).model["examples"]
        assert len(seen) == error_class["count"]
        assert {shown["example"].kind for shown in seen} <= {error_class["name"]}


def test_an_example_leads_to_its_mention_in_the_text(bench: Workbench) -> None:
    some = page(bench, "errors", run="scores", response="eager")
    run, text = bench.run("scores"), html(some)
    assert some.model["examples"]
    for shown in some.model["examples"]:
        document, mention = shown["document"], shown["mention"]
        mentions = list_mentions(run.document(document), "eager")
        assert (mentions.start[mention], mentions.end[mention]) == shown["example"].mention.span
        assert f"/read/{document}?response=eager#m{mention}" in text


def test_strata_add_up(bench: Workbench) -> None:
    for by in ("type", "pronoun", "distance", "size"):
        model = page(bench, "errors", run="scores", response="steady", by=by).model
        assert sum(row["errors"] for row in model["strata"]) == model["overall"]["errors"]
        for row in model["strata"]:
            query = {"run": "scores", "response": "steady", "by": by, "value": row["value"]}
            assert page(bench, "errors", **query).model["found"] == row["errors"]


def test_pronouns_that_are_not_right_are_listed_with_what_was_expected(bench: Workbench) -> None:
    for response in ("most-recent", "random(seed=3)"):
        pronouns = page(bench, "errors", run="bench", response=response).model["pronouns"]
        verdicts = bench.run("bench").bench[response].verdicts
        wrong = [v for v in verdicts if v.anaphoric and not v.correct]
        wrong += [v for v in verdicts if not v.anaphoric and v.attempted]
        assert pronouns["tried"].errors == len(wrong) == len(pronouns["rows"])
        assert {(row["label"], row["token"]) for row in pronouns["rows"]} == {(v.document, v.token) for v in wrong}
        for row in pronouns["rows"]:
            mentions = list_mentions(bench.run("bench").document(row["document"]), response)
            assert mentions.start[row["mention"]] == row["token"]


def test_a_run_of_scores_has_no_verdicts_on_pronouns(bench: Workbench) -> None:
    assert page(bench, "errors", run="scores").model["pronouns"] is None


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ({"response": "nobody"}, UnknownName),
        ({"class": "typo"}, UnknownName),
        ({"class": "wrong"}, UnknownName),
        ({"by": "colour"}, UnknownName),
        ({"by": "type", "value": "verb"}, UnknownName),
        ({"class": "false-link", "page": "99"}, UsageError),
        ({"page": "0"}, UsageError),
        ({"page": "²"}, UsageError),
        ({"page": "-1"}, UsageError),
    ],
)
def test_what_makes_no_sense_is_refused(bench: Workbench, query, error) -> None:
    with pytest.raises(error):
        page(bench, "errors", **{"run": "scores", **query})


def test_a_bundle_does_not_link_what_only_a_server_could_answer(bench: Workbench) -> None:
    kept = html(page(bench, "errors", run="bench"), live=False)
    assert not re.search(r'href="[^"]*(class|by|value)=', kept)
