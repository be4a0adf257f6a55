"""Errors of a response: classes, costs and examples."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from corefbench.analysis.errors import CLASSES, ErrorAnalysis, Example, RepairScore, StratumScore
from corefbench.analysis.errors.strata import STRATA, parse_stratum
from corefbench.analysis.errors.taxonomy import parse_class
from corefbench.errors import UnknownName
from corefbench.report.charts import can_draw
from corefbench.report.errors import TITLES, headline, score_title
from corefbench.runs import Run
from corefbench.runs.matching import Mark
from corefbench.runs.schema import Span
from corefbench.web.pages import Chart, Page, Query, make_chart, page_number, paginate
from corefbench.workbench.analysis import (
    OutcomeCounts,
    analyse_errors,
    count_outcomes,
    repaired_scores,
    require_documents,
    response_names,
    select_response,
    verdict_mark,
)
from corefbench.workbench.mentions import list_mentions
from corefbench.workbench.storage import Workbench

ERROR_MARKS: tuple[Mark, ...] = ("wrong", "missed", "spurious")
_PRONOUNS_PER_PAGE = 25
_EXAMPLES_PER_PAGE = 25
_EXAMPLES_PER_CLASS = 2
_CONTEXT_WORDS = 14
"""Words shown on either side of a mention."""
_CLASS_DESCRIPTIONS = {
    "false-new": "begins a chain, but the key has an antecedent",
    "false-link": "is linked, but the key begins a chain here",
    "wrong-link": "is linked outside its chain of the key",
    "span-error": "has other boundaries than in the key",
    "conflated-entities": "one chain of the response has mentions of several of the key",
    "extra-mention": "is in a chain, but the key does not have it",
    "extra-entity": "a chain of which the key has no mention",
    "divided-entity": "one chain of the key is several of the response",
    "missing-mention": "the key has it in a chain, the response does not have it",
    "missing-entity": "a chain of which the response has no mention",
    "recall-error": "a link of the key that the response lacks",
    "precision-error": "a link of the response that the key lacks",
}


def list_pronoun_errors(run: Run, response: str, mark: str, number: int) -> dict[str, Any]:
    """Return a page of pronoun errors, in the order of the texts."""
    marks = (mark,) if mark else ERROR_MARKS
    errors = [verdict for verdict in run.bench[response].verdicts if verdict_mark(verdict) in marks]
    listed, pages = paginate(errors, number, _PRONOUNS_PER_PAGE)
    locate = _mention_locator(run, response)
    rows = []
    for verdict in listed:
        document, mention = locate(verdict.document, (verdict.token, verdict.token + 1))
        snippet = run.bench.snippets.get(verdict.document, {}).get(verdict.token, verdict.form)
        before, after = _split_snippet(snippet, verdict.form)
        rows.append(
            {
                "document": document,
                "label": verdict.document,
                "token": verdict.token,
                "mention": mention,
                "form": verdict.form,
                "mark": verdict_mark(verdict),
                "before": before,
                "after": after,
                "chosen": verdict.answer,
                "expected": verdict.expected,
                # Sentences back to the antecedent of the key; -1 for none.
                "distance": verdict.distance,
                "rule": verdict.rule,
            }
        )
    return {
        "tried": sum(count_outcomes(run)[response], OutcomeCounts()),
        "mark": mark,
        "page": number,
        "pages": pages,
        "found": len(errors),
        "rows": rows,
    }


def _mention_locator(run: Run, response: str) -> Callable[[str, Span], tuple[int | None, int | None]]:
    """Return a function from the label of a document and a span to their numbers in the reading view."""
    documents = {label: number for number, label in enumerate(run.documents)}

    @cache
    def mention_numbers(document: int) -> dict[Span, int]:
        return list_mentions(run.document(document), response).by_span()

    def locate(label: str, span: Span) -> tuple[int | None, int | None]:
        document = documents.get(label)
        return document, None if document is None else mention_numbers(document).get(span)

    return locate


def _split_snippet(snippet: str, form: str) -> tuple[str, str]:
    """Return the text before and after the pronoun, which is in brackets in a snippet.

    >>> _split_snippet("She gave [Her] a book", "her")
    ('She gave', 'a book')
    """
    position = snippet.lower().find(f"[{form.lower()}]")
    return (snippet[:position].strip(), snippet[position + len(form) + 2 :].strip()) if position >= 0 else ("", "")


def errors_page(workbench: Workbench, query: Query) -> Page:
    """Show errors; ``class``, ``by`` with ``value``, and ``page`` select what is listed."""
    name = query["run"]
    run = workbench.run(name)
    require_documents(run)
    response = select_response(run, query.get("response"))
    number = page_number(query)
    class_or_mark = query.get("class", "")
    mark = class_or_mark if run.kind == "bench" and class_or_mark in ERROR_MARKS else ""
    kind = parse_class(class_or_mark) if class_or_mark and not mark else ""
    by, value = parse_stratum(query.get("by") or "type"), query.get("value", "")
    analysis, repairs = analyse_errors(run, response), repaired_scores(run, response)
    strata = _strata(analysis, by)
    values = [row["value"] for row in strata]
    if value and value not in values:
        raise UnknownName(STRATA[by].lower(), value, values)
    selected = _select_errors(analysis, kind, by, value)
    if kind or value:
        errors, pages = paginate(selected.errors, number, _EXAMPLES_PER_PAGE)
        examples = [error.example(_CONTEXT_WORDS) for error in errors]
    else:
        examples, pages = selected.examples(_EXAMPLES_PER_CLASS, width=_CONTEXT_WORDS), 1
    score = headline(repairs[0])
    pronouns = None
    if run.kind == "bench":
        pronouns = list_pronoun_errors(run, response, mark, 1 if kind or value else number)
    model = {
        "run": name,
        "response": response,
        "responses": response_names(run),
        "profile": analysis.profile.title,
        "signature": str(run.results[response].signature),
        "headline": score_title(score),
        # F1 of the response as it is, and with all errors repaired.
        "before": repairs[0].alone[score],
        "after": repairs[-1].alone[score],
        "overall": _make_stratum("all", analysis.overall, len(analysis.filter(taxonomy="decisions"))),
        "taxonomies": _taxonomies(analysis, repairs, score),
        "if_fixed": repairs,
        "by": by,
        "strata_titles": STRATA,
        "strata": strata,
        "kind": kind or mark,
        "value": value,
        "page": number,
        "pages": pages,
        "found": len(selected),
        "examples": _locate_examples(run, response, examples),
        "pronouns": pronouns,
        "findings": tuple(map(str, analysis.findings)),
    }
    return Page(
        template="errors.html",
        title=f"Errors of {response}",
        model=model,
        charts=_charts(analysis, repairs, score, by, response),
    )


def _select_errors(analysis: ErrorAnalysis, kind: str, by: str, value: str) -> ErrorAnalysis:
    criteria: dict[str, Any] = {}
    if kind:
        criteria["kind"] = kind
    if value:
        criteria[by] = value
        if not kind:
            criteria["taxonomy"] = "decisions"
    return analysis.filter(**criteria)


def _locate_examples(run: Run, response: str, examples: Iterable[Example]) -> list[dict[str, Any]]:
    """Return examples with the numbers of their documents and mentions in the reading view."""
    locate = _mention_locator(run, response)
    located = []
    for example in examples:
        document, mention = locate(example.mention.document, example.mention.span)
        located.append({"example": example, "document": document, "mention": mention})
    return located


def _taxonomies(analysis: ErrorAnalysis, repairs: tuple[RepairScore, ...], score: str) -> list[dict[str, Any]]:
    rows = {row.kind: row for row in repairs}
    before = repairs[0].alone[score]
    taxonomies = []
    for name in CLASSES:
        counts = analysis.counts[name]
        total = sum(counts.values())
        classes = []
        for kind, count in counts.items():
            row = rows.get(kind)
            classes.append(
                {
                    "name": kind,
                    "words": _CLASS_DESCRIPTIONS[kind],
                    "count": count,
                    "share": count / total if total else 0.0,
                    # F1 with this class repaired, and with all those above it, too.
                    "if_fixed": row and row.alone[score],
                    "gain": row and row.alone[score] - before,
                    "together": row and row.together[score],
                }
            )
        taxonomies.append({"name": name, "title": TITLES[name], "count": total, "classes": classes})
    return taxonomies


def _strata(analysis: ErrorAnalysis, by: str) -> list[dict[str, Any]]:
    errors = analysis.filter(taxonomy="decisions").categorize(by)
    return [_make_stratum(value, score, len(errors.get(value, ()))) for value, score in analysis.scores(by).items()]


def _make_stratum(value: str, score: StratumScore, errors: int) -> dict[str, Any]:
    """Return the scores of a stratum with the number of wrong antecedent decisions."""
    rates = {"recall": score.recall, "precision": score.precision, "f1": score.f1}
    return {"value": value, "score": score, **rates, "errors": errors}


def _charts(
    analysis: ErrorAnalysis, repairs: tuple[RepairScore, ...], score: str, by: str, response: str
) -> dict[str, Chart]:
    if not can_draw():
        return {}
    from corefbench.report.errors import MAX_STRATA, fixing_chart, strata_chart

    best = max(repairs[1:-1], key=lambda row: row.alone[score])
    charts = {
        "fixing": make_chart(
            fixing_chart(repairs, score, score_title(score)),
            f"F1 if each class of errors were repaired; most is to be gained by {best.kind}.",
        )
    }
    if 0 < len(analysis.scores(by)) <= MAX_STRATA:
        stratum = STRATA[by].lower()
        charts["strata"] = make_chart(
            strata_chart(analysis, by, response),
            f"Recall, precision and F1 of antecedent decisions by {stratum}; see the table below.",
        )
    return charts
