"""Errors of a response: classes, costs and examples."""

from math import ceil
from typing import Any

from corefbench.analysis.errors import CLASSES, ErrorAnalysis, Example, RepairScore, StratumScore
from corefbench.analysis.errors.strata import STRATA, parse_stratum
from corefbench.analysis.errors.taxonomy import parse_class
from corefbench.errors import UnknownName, UsageError
from corefbench.records import Record
from corefbench.report.charts import can_draw
from corefbench.report.errors import TITLES, headline
from corefbench.runs import Run
from corefbench.runs.matching import Mark
from corefbench.web.pages import Chart, Page, Query, make_chart
from corefbench.workbench.analysis import (
    OutcomeCounts,
    analyse_errors,
    count_outcomes,
    repaired_scores,
    require_documents,
    response_names,
    selected_response,
    verdict_mark,
)
from corefbench.workbench.reading.mentions import list_mentions
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


class PronounError(Record, frozen=True):
    """A pronoun that is wrong, missed or spurious."""

    document: int | None
    label: str
    token: int
    mention: int | None
    """Number in the reading view."""
    form: str
    mark: Mark
    before: str
    after: str
    """Words before and after it."""
    chosen: str
    expected: str
    distance: int
    """Sentences back to the key antecedent; -1 for none."""
    rule: str


class PronounErrors(Record, frozen=True):
    """A page of the pronoun errors of one resolver."""

    tried: OutcomeCounts
    mark: str
    """The selected mark; empty for all."""
    page: int
    pages: int
    found: int
    rows: tuple[PronounError, ...]


def list_pronoun_errors(run: Run, response: str, mark: str, number: int) -> PronounErrors:
    """Return a page of pronoun errors, in the order of the texts."""
    marks = (mark,) if mark else ERROR_MARKS
    errors = [
        (verdict, error_mark)
        for verdict in run.bench[response].verdicts
        if (error_mark := verdict_mark(verdict)) in marks and error_mark is not None
    ]
    pages = max(1, ceil(len(errors) / _PRONOUNS_PER_PAGE))
    if number > pages:
        raise UsageError("there is no such page", found=str(number), expected=f"1 to {pages}")
    document_numbers = {label: position for position, label in enumerate(run.documents)}
    numbers_by_document: dict[int, dict[tuple[int, int], int]] = {}
    rows = []
    for verdict, error_mark in errors[(number - 1) * _PRONOUNS_PER_PAGE : number * _PRONOUNS_PER_PAGE]:
        document = document_numbers.get(verdict.document)
        if document is not None and document not in numbers_by_document:
            numbers_by_document[document] = mention_numbers(run, document, response)
        snippet = run.bench.snippets.get(verdict.document, {}).get(verdict.token, verdict.form)
        before, after = _split_snippet(snippet, verdict.form)
        rows.append(
            PronounError(
                document=document,
                label=verdict.document,
                token=verdict.token,
                mention=None
                if document is None
                else numbers_by_document[document].get((verdict.token, verdict.token + 1)),
                form=verdict.form,
                mark=error_mark,
                before=before,
                after=after,
                chosen=verdict.answer,
                expected=verdict.expected,
                distance=verdict.distance,
                rule=verdict.rule,
            )
        )
    return PronounErrors(
        tried=sum(count_outcomes(run)[response], OutcomeCounts()),
        mark=mark,
        page=number,
        pages=pages,
        found=len(errors),
        rows=tuple(rows),
    )


def mention_numbers(run: Run, document: int, response: str) -> dict[tuple[int, int], int]:
    """Return the numbers of mentions in the reading view by span."""
    mentions = list_mentions(run.document(document), response)
    numbers: dict[tuple[int, int], int] = {}
    for number, span in enumerate(zip(mentions.start, mentions.end, strict=True)):
        numbers.setdefault(span, number)
    return numbers


def _split_snippet(snippet: str, form: str) -> tuple[str, str]:
    """Return the text before and after the pronoun, which is in brackets in a snippet.

    >>> _split_snippet("She gave [Her] a book", "her")
    ('She gave', 'a book')
    """
    position = snippet.lower().find(f"[{form.lower()}]")
    return (snippet[:position].strip(), snippet[position + len(form) + 2 :].strip()) if position >= 0 else ("", "")


class ErrorClass(Record, frozen=True):
    """A class of errors."""

    name: str
    words: str
    count: int
    share: float
    if_fixed: float | None = None
    """The headline F1 with this class repaired …"""
    gain: float | None = None
    together: float | None = None
    """… and with all those above it, too."""


class Taxonomy(Record, frozen=True):
    """A classification of errors."""

    name: str
    title: str
    count: int
    classes: tuple[ErrorClass, ...]


class StratumRow(Record, frozen=True):
    """Scores of the antecedent decisions of a stratum."""

    value: str
    score: StratumScore
    recall: float
    precision: float
    f1: float
    errors: int
    """Wrong antecedent decisions."""


class LocatedExample(Record, frozen=True):
    """An example and its place in the reading view."""

    example: Example
    document: int | None
    mention: int | None
    """Number in the reading view."""


class ErrorsPage(Record, frozen=True):
    """The errors of a response."""

    run: str
    response: str
    responses: tuple[str, ...]
    profile: str
    signature: str
    headline: str
    before: float
    """The headline F1 of the response …"""
    after: float
    """… and with all errors repaired."""
    overall: StratumRow
    taxonomies: tuple[Taxonomy, ...]
    if_fixed: tuple[RepairScore, ...]
    by: str
    strata_titles: dict[str, str]
    strata: tuple[StratumRow, ...]
    kind: str
    """The selected class."""
    value: str
    """The selected stratum."""
    page: int
    pages: int
    found: int
    """Number of selected errors."""
    examples: tuple[LocatedExample, ...]
    pronouns: PronounErrors | None
    findings: tuple[str, ...]


def errors_page(workbench: Workbench, query: Query) -> Page:
    """Show errors; ``class``, ``by`` with ``value``, and ``page`` select what is listed."""
    name = query["run"]
    run = workbench.run(name)
    require_documents(run)
    response = selected_response(run, query)
    number = page_number(query)
    class_or_mark = query.get("class", "")
    mark = class_or_mark if run.kind == "bench" and class_or_mark in ERROR_MARKS else ""
    kind = parse_class(class_or_mark) if class_or_mark and not mark else ""
    by, value = parse_stratum(query.get("by") or "type"), query.get("value", "")
    analysis, repairs = analyse_errors(run, response), repaired_scores(run, response)
    strata = _strata(analysis, by)
    if value and value not in [row.value for row in strata]:
        raise UnknownName(STRATA[by].lower(), value, [row.value for row in strata])
    selected = _select_errors(analysis, kind, by, value)
    pages = max(1, ceil(len(selected) / _EXAMPLES_PER_PAGE)) if kind or value else 1
    score = headline(repairs[0])
    pronouns = None
    if run.kind == "bench":
        pronouns = list_pronoun_errors(run, response, mark, 1 if kind or value else number)
    model = ErrorsPage(
        run=name,
        response=response,
        responses=response_names(run),
        profile=analysis.profile.title,
        signature=str(run.results[response].signature),
        headline="CoNLL" if score == "conll" else score.replace("_", " "),
        before=repairs[0].alone[score],
        after=repairs[-1].alone[score],
        overall=_make_stratum("all", analysis.overall, len(analysis.filter(taxonomy="decisions"))),
        taxonomies=_taxonomies(analysis, repairs, score),
        if_fixed=repairs,
        by=by,
        strata_titles=STRATA,
        strata=strata,
        kind=kind or mark,
        value=value,
        page=number,
        pages=pages,
        found=len(selected),
        examples=_locate_examples(run, response, selected, kind or value, number, pages),
        pronouns=pronouns,
        findings=tuple(map(str, analysis.findings)),
    )
    return Page(
        template="errors.html",
        title=f"Errors of {response}",
        model=model,
        charts=_charts(analysis, repairs, score, by, response),
    )


def page_number(query: Query) -> int:
    """Return the page number of a query."""
    text = query.get("page") or "1"
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 1_000_000):
        raise UsageError("there is no such page", found=text, expected="a number from 1 upwards")
    return int(text)


def _select_errors(analysis: ErrorAnalysis, kind: str, by: str, value: str) -> ErrorAnalysis:
    criteria: dict[str, Any] = {}
    if kind:
        criteria["kind"] = kind
    if value:
        criteria[by] = value
        if not kind:
            criteria["taxonomy"] = "decisions"
    return analysis.filter(**criteria)


def _locate_examples(
    run: Run, response: str, selected: ErrorAnalysis, selection: str, number: int, pages: int
) -> tuple[LocatedExample, ...]:
    """Return a page of the selected errors, or some of each class if none are selected."""
    if not selection:
        examples = selected.examples(_EXAMPLES_PER_CLASS, width=_CONTEXT_WORDS)
    else:
        if number > pages:
            raise UsageError("there is no such page", found=str(number), expected=f"1 to {pages}")
        errors = selected.errors[(number - 1) * _EXAMPLES_PER_PAGE : number * _EXAMPLES_PER_PAGE]
        examples = [error.example(_CONTEXT_WORDS) for error in errors]
    document_numbers = {label: position for position, label in enumerate(run.documents)}
    numbers_by_document: dict[int, dict[tuple[int, int], int]] = {}
    located = []
    for example in examples:
        document = document_numbers.get(example.mention.document)
        if document is not None and document not in numbers_by_document:
            numbers_by_document[document] = mention_numbers(run, document, response)
        mention = None if document is None else numbers_by_document[document].get(example.mention.span)
        located.append(LocatedExample(example=example, document=document, mention=mention))
    return tuple(located)


def _taxonomies(analysis: ErrorAnalysis, repairs: tuple[RepairScore, ...], score: str) -> tuple[Taxonomy, ...]:
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
                ErrorClass(
                    name=kind,
                    words=_CLASS_DESCRIPTIONS[kind],
                    count=count,
                    share=count / total if total else 0.0,
                    if_fixed=None if row is None else row.alone[score],
                    gain=None if row is None else row.alone[score] - before,
                    together=None if row is None else row.together[score],
                )
            )
        taxonomies.append(Taxonomy(name=name, title=TITLES[name], count=total, classes=tuple(classes)))
    return tuple(taxonomies)


def _strata(analysis: ErrorAnalysis, by: str) -> tuple[StratumRow, ...]:
    errors = analysis.filter(taxonomy="decisions").categorize(by)
    scores = analysis.scores(by)
    return tuple(
        _make_stratum(value, score, len(errors[value]) if value in errors else 0) for value, score in scores.items()
    )


def _make_stratum(value: str, score: StratumScore, errors: int) -> StratumRow:
    return StratumRow(
        value=value, score=score, recall=score.recall, precision=score.precision, f1=score.f1, errors=errors
    )


def _charts(
    analysis: ErrorAnalysis, repairs: tuple[RepairScore, ...], score: str, by: str, response: str
) -> dict[str, Chart]:
    if not can_draw():
        return {}
    from corefbench.report.errors import MAX_STRATA, fixing_chart, strata_chart

    title = "CoNLL" if score == "conll" else score.replace("_", " ")
    best = max(repairs[1:-1], key=lambda row: row.alone[score])
    charts = {
        "fixing": make_chart(
            fixing_chart(repairs, score, title),
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
