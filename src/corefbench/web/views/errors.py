"""The errors of a response: how many of which class, what they cost, and where they are."""

from math import ceil
from typing import Any

from corefbench.analysis.errors import CLASSES, ErrorAnalysis, Example, Fixed, StratumScore
from corefbench.analysis.errors.naming import kind_named
from corefbench.analysis.strata import STRATA, stratum_named
from corefbench.errors import UnknownName, UsageError
from corefbench.record import Record
from corefbench.report.charts.inline import can_draw
from corefbench.report.errors import TITLES, headline
from corefbench.runs import Run
from corefbench.web.analyses import (
    errors_of,
    fixed_of,
    require_documents,
    response_of,
    responses_of,
)
from corefbench.web.page import Drawing, Page, Query, drawing
from corefbench.web.pronouns import MARKS, PronounErrors, pronoun_errors, spans_of
from corefbench.web.workbench import Workbench

_SIZE = 25
"""Examples a page."""
_OF_EACH = 2
_WIDTH = 14
"""Words around a mention."""
_WORDS = {
    "false-new": "begins a chain, but the key has an antecedent",
    "false-link": "is linked, but the key begins a chain here",
    "wrong-link": "is linked outside its chain of the key",
    "span-error": "has other borders than the key gives it",
    "conflated-entities": "one chain of the response has mentions of several of the key",
    "extra-mention": "is in a chain, but the key does not have it",
    "extra-entity": "a chain of which the key has nothing",
    "divided-entity": "one chain of the key is several of the response",
    "missing-mention": "the key has it in a chain, the response does not have it",
    "missing-entity": "a chain of which the response has nothing",
    "recall-error": "a link of the key that the response lacks",
    "precision-error": "a link of the response that the key lacks",
}


class Class(Record, frozen=True):
    """One class of errors."""

    name: str
    words: str
    count: int
    share: float
    if_fixed: float | None = None
    """The headline F1 with this class repaired …"""
    gain: float | None = None
    together: float | None = None
    """… and with all those above it too."""


class Taxonomy(Record, frozen=True):
    """A way to class errors."""

    name: str
    title: str
    count: int
    classes: tuple[Class, ...]


class Stratum(Record, frozen=True):
    """Right antecedent decisions of some mentions."""

    value: str
    score: StratumScore
    recall: float
    precision: float
    f1: float
    errors: int
    """Of antecedent decisions."""


class Shown(Record, frozen=True):
    """An example, and where to read it."""

    example: Example
    document: int | None
    mention: int | None
    """Its number in the reading view."""


class Errors(Record, frozen=True):
    """The page."""

    run: str
    response: str
    responses: tuple[str, ...]
    profile: str
    signature: str
    headline: str
    before: float
    """The headline F1 of the response …"""
    after: float
    """… and with all operations done."""
    overall: Stratum
    taxonomies: tuple[Taxonomy, ...]
    if_fixed: tuple[Fixed, ...]
    by: str
    strata_titles: dict[str, str]
    strata: tuple[Stratum, ...]
    kind: str
    """The class that is asked for."""
    value: str
    """The stratum that is asked for."""
    page: int
    pages: int
    found: int
    """Errors that are asked for."""
    examples: tuple[Shown, ...]
    pronouns: PronounErrors | None
    findings: tuple[str, ...]


def view(workbench: Workbench, query: Query) -> Page:
    """The page; ``class``, ``by`` with ``value``, and ``page`` say which errors are listed."""
    name = query["run"]
    run = workbench.run(name)
    require_documents(run)
    response = response_of(run, query)
    number = page_number(query)
    asked = query.get("class", "")
    mark = asked if run.kind == "bench" and asked in MARKS else ""
    kind = kind_named(asked) if asked and not mark else ""
    by, value = stratum_named(query.get("by") or "type"), query.get("value", "")
    analysis, fixed = errors_of(run, response), fixed_of(run, response)
    strata = _strata(analysis, by)
    if value and value not in [one.value for one in strata]:
        raise UnknownName(STRATA[by].lower(), value, [one.value for one in strata])
    listed = _listed(analysis, kind, by, value)
    pages = max(1, ceil(len(listed) / _SIZE)) if kind or value else 1
    score = headline(fixed[0])
    model = Errors(
        run=name,
        response=response,
        responses=responses_of(run),
        profile=analysis.profile.title,
        signature=str(run.results[response].signature),
        headline="CoNLL" if score == "conll" else score.replace("_", " "),
        before=fixed[0].alone[score],
        after=fixed[-1].alone[score],
        overall=_stratum("all", analysis.overall, len(analysis.filter(taxonomy="decisions"))),
        taxonomies=_taxonomies(analysis, fixed, score),
        if_fixed=fixed,
        by=by,
        strata_titles=STRATA,
        strata=strata,
        kind=kind or mark,
        value=value,
        page=number,
        pages=pages,
        found=len(listed),
        examples=_examples(run, response, listed, kind or value, number, pages),
        pronouns=_pronouns(run, response, mark, 1 if kind or value else number),
        findings=tuple(map(str, analysis.findings)),
    )
    return Page(
        template="errors.html",
        title=f"Errors of {response}",
        model=model,
        drawings=_drawings(analysis, fixed, score, by, response),
    )


def _pronouns(run: Run, response: str, mark: str, number: int) -> PronounErrors | None:
    return pronoun_errors(run, response, mark, number) if run.kind == "bench" else None


def page_number(query: Query) -> int:
    """The page of a list that is asked for."""
    text = query.get("page") or "1"
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 1_000_000):
        raise UsageError("there is no such page", found=text, expected="a number from 1 upwards")
    return int(text)


def _listed(analysis: ErrorAnalysis, kind: str, by: str, value: str) -> ErrorAnalysis:
    wanted: dict[str, Any] = {}
    if kind:
        wanted["kind"] = kind
    if value:
        wanted[by] = value
        if not kind:
            wanted["taxonomy"] = "decisions"
    return analysis.filter(**wanted)


def _examples(
    run: Run, response: str, listed: ErrorAnalysis, chosen: str, number: int, pages: int
) -> tuple[Shown, ...]:
    """A page of what is asked for; some of each class where nothing is."""
    if not chosen:
        made = listed.examples(_OF_EACH, width=_WIDTH)
    else:
        if number > pages:
            raise UsageError("there is no such page", found=str(number), expected=f"1 to {pages}")
        some = listed.errors[(number - 1) * _SIZE : number * _SIZE]
        made = [error.example(_WIDTH) for error in some]
    places = {label: place for place, label in enumerate(run.documents)}
    known: dict[int, dict[tuple[int, int], int]] = {}
    shown = []
    for example in made:
        document = places.get(example.mention.document)
        if document is not None and document not in known:
            known[document] = spans_of(run, document, response)
        mention = None if document is None else known[document].get(example.mention.span)
        shown.append(Shown(example=example, document=document, mention=mention))
    return tuple(shown)


def _taxonomies(
    analysis: ErrorAnalysis, fixed: tuple[Fixed, ...], score: str
) -> tuple[Taxonomy, ...]:
    rows = {row.kind: row for row in fixed}
    before = fixed[0].alone[score]
    made = []
    for name in CLASSES:
        counts = analysis.counts[name]
        total = sum(counts.values())
        classes = []
        for kind, count in counts.items():
            row = rows.get(kind)
            classes.append(
                Class(
                    name=kind,
                    words=_WORDS[kind],
                    count=count,
                    share=count / total if total else 0.0,
                    if_fixed=None if row is None else row.alone[score],
                    gain=None if row is None else row.alone[score] - before,
                    together=None if row is None else row.together[score],
                )
            )
        made.append(Taxonomy(name=name, title=TITLES[name], count=total, classes=tuple(classes)))
    return tuple(made)


def _strata(analysis: ErrorAnalysis, by: str) -> tuple[Stratum, ...]:
    errors = analysis.filter(taxonomy="decisions").categorize(by)
    scores = analysis.scores(by)
    return tuple(
        _stratum(value, score, len(errors[value]) if value in errors else 0)
        for value, score in scores.items()
    )


def _stratum(value: str, score: StratumScore, errors: int) -> Stratum:
    return Stratum(
        value=value,
        score=score,
        recall=score.recall,
        precision=score.precision,
        f1=score.f1,
        errors=errors,
    )


def _drawings(
    analysis: ErrorAnalysis, fixed: tuple[Fixed, ...], score: str, by: str, response: str
) -> dict[str, Drawing]:
    if not can_draw():
        return {}
    from corefbench.report.charts.fixing import fixing_chart
    from corefbench.report.charts.strata import MOST, strata_chart

    title = "CoNLL" if score == "conll" else score.replace("_", " ")
    best = max(fixed[1:-1], key=lambda row: row.alone[score])
    made = {
        "fixing": drawing(
            fixing_chart(fixed, score, title),
            f"F1 if each class of errors were repaired; most is to be gained by {best.kind}.",
        )
    }
    if 0 < len(analysis.scores(by)) <= MOST:
        what = STRATA[by].lower()
        made["strata"] = drawing(
            strata_chart(analysis, by, response),
            f"Recall, precision and F1 of antecedent decisions by {what}; see the table below.",
        )
    return made
