"""The page of results: the numbers of the run, unrounded, with intervals, letters and links."""

import json
import re

import pytest

import corefbench as cb
from corefbench.analysis.comparison import compare
from corefbench.errors import UnknownName, UsageError
from corefbench.web.rendering import encode_json
from corefbench.workbench.analysis import count_outcomes
from corefbench.workbench.mentions import list_mentions
from corefbench.workbench.storage import Workbench
from tests.unit.runs.samples import KEY, RESPONSES
from tests.unit.workbench.samples import html, page, workbench


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    return workbench(tmp_path_factory.mktemp("workbench"))


def test_scores_are_those_of_scoring_alone_and_unrounded(bench: Workbench) -> None:
    twin = json.loads(encode_json(page(bench, "results", run="scores")))
    for method in twin["methods"]:
        alone = cb.score(KEY, RESPONSES[method["name"]])
        for name, score in alone.scores.items():
            found = method["scores"][name]
            assert [found[part]["value"] for part in ("recall", "precision", "f1")] == [
                score.recall,
                score.precision,
                score.f1,
            ]
        assert alone.conll is not None
        assert method["scores"]["conll"]["f1"]["value"] == pytest.approx(alone.conll.f1, abs=1e-15)
        assert method["signatures"]["scores"] == str(alone.signature)


def test_rates_are_those_of_the_comparison_of_resolvers(bench: Workbench) -> None:
    model = page(bench, "results", run="bench").model
    for method in model["methods"]:
        rates = bench.run("bench").bench[method.name].rates
        for column in model["rates"]:
            rate = getattr(rates, column.name)
            shown = method.rates[column.name]
            assert (shown.value, shown.hits, shown.total) == (rate.value, rate.hits, rate.total)


def test_letters_are_those_of_the_comparison(bench: Workbench) -> None:
    model = page(bench, "results", run="scores").model
    comparison = compare(bench.run("scores").results)
    for method in model["methods"]:
        assert method.mark == comparison[method.name].mark
        for score, parts in method.scores.items():
            assert parts["f1"].better_than == comparison.beaten(method.name, score)
            assert parts["f1"].low == comparison[method.name].scores[score]["f1"].low


@pytest.mark.parametrize("run", ["scores", "bench"])
def test_errors_are_counted_as_the_reading_view_marks_them(bench: Workbench, run: str) -> None:
    opened = bench.run(run)
    for name, some in count_outcomes(opened).items():
        for number, found in enumerate(some):
            read = list_mentions(opened.document(number), name).errors(pronouns=run == "bench")
            assert found.errors == len(read)


@pytest.mark.parametrize("run", ["scores", "bench"])
@pytest.mark.parametrize("live", [True, False])
def test_every_document_is_one_click_away(bench: Workbench, run: str, live: bool) -> None:
    some = page(bench, "results", run=run, by="document")
    text = html(some, live=live)
    for method in some.model["methods"]:
        for row in some.model["documents"]:
            assert re.search(rf'href="/runs/{run}/read/{row.number}\?response=[^"]+"', text)
        assert f"/runs/{run}/errors?response=" in text
        assert method.name in text


def test_a_bundle_has_no_forms_and_no_exports(bench: Workbench) -> None:
    live = html(page(bench, "results", run="bench"))
    kept = html(page(bench, "results", run="bench"), live=False)
    assert "/export/results.tex" in live
    assert "/export/" not in kept
    assert "&amp;sort=" not in kept


def test_documents_with_most_errors_come_first(bench: Workbench) -> None:
    rows = page(bench, "results", run="scores").model["documents"]
    assert [row.errors for row in rows] == sorted((row.errors for row in rows), reverse=True)


def test_documents_can_be_sorted_by_any_column_both_ways(bench: Workbench) -> None:
    for sort in ("document", "errors", "eager"):
        up = page(bench, "results", run="scores", by="document", sort=sort, order="asc").model
        down = page(bench, "results", run="scores", by="document", sort=sort, order="desc").model
        values = [_value(row, sort) for row in up["documents"]]
        assert values == sorted(values)
        assert [_value(row, sort) for row in down["documents"]] == values[::-1]


def _value(row, sort):
    if sort == "document":
        return row.label
    return row.errors if sort == "errors" else row.methods[sort].value


def test_a_measure_of_every_document_is_that_of_the_document_alone(bench: Workbench) -> None:
    model = page(bench, "results", run="scores", by="document", measure="lea").model
    result = bench.run("scores").results["steady"].by_document()
    for row in model["documents"]:
        assert row.methods["steady"].value == pytest.approx(result[row.label]["lea"].f1)


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ({"run": "nothing"}, UnknownName),
        ({"run": "../runs/scores"}, UnknownName),
        ({"by": "colour"}, UsageError),
        ({"measure": "accuracy"}, UnknownName),
        ({"sort": "nobody"}, UnknownName),
        ({"order": "sideways"}, UsageError),
    ],
)
def test_what_makes_no_sense_is_refused(bench: Workbench, query, error) -> None:
    with pytest.raises(error):
        page(bench, "results", **{"run": "scores", **query})


def test_every_number_can_be_made_again(bench: Workbench) -> None:
    model = page(bench, "results", run="bench").model
    assert model["about"]["verify"] == "corefbench verify bench.corefrun"
    assert model["about"]["compare"] == "corefbench compare bench.corefrun"
    commands = [method.command for method in model["methods"]]
    assert commands[1].endswith("--resolvers 'random(seed=3)' --mode annotated")
    text = html(page(bench, "results", run="bench"))
    for method in model["methods"]:
        for signature in method.signatures.values():
            assert signature.replace("'", "&#39;") in text


def test_names_from_files_are_only_text(bench: Workbench, tmp_path) -> None:
    from corefbench.runs.record import save_run

    made = Workbench(tmp_path)
    hostile = '<script>alert("x")</script>'
    save_run(tmp_path / "runs" / "x.corefrun", KEY, {hostile: RESPONSES["eager"]})
    for name in ("results", "errors", "singletons"):
        text = html(page(made, name, run="x"))
        assert "<script>alert" not in text
        assert "&lt;script&gt;" in text


def test_a_run_of_one_response_and_one_document_has_no_letters(tmp_path) -> None:
    from corefbench.runs.record import save_run

    text = b"#begin document (a); part 000\na 0 0 Ann (1)\na 0 1 her (1)\n#end document\n"
    (tmp_path / "key.conll").write_bytes(text)
    made = Workbench(tmp_path)
    save_run(tmp_path / "runs" / "x.corefrun", tmp_path / "key.conll", {"x": tmp_path / "key.conll"})
    some = page(made, "results", run="x")
    assert some.model["methods"][0].scores["muc"]["f1"].low is None
    assert "Coreference" in html(some)
    assert some.model["methods"][0].worst is None
