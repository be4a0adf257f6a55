"""Compare responses side by side on one document."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from string import ascii_lowercase
from typing import Any

from msgspec.structs import replace

from corefbench.analysis.errors.decisions import classify_decisions
from corefbench.analysis.errors.pair import read_pair
from corefbench.analysis.errors.strata import sort_strata
from corefbench.diagnostics import ignore_finding
from corefbench.errors import UsageError
from corefbench.records import Record
from corefbench.runs import Run
from corefbench.runs.documents import layer_to_corpus
from corefbench.runs.schema import RunDocument, Span
from corefbench.scoring.profiles import Profile
from corefbench.web.pages import Page, Query
from corefbench.workbench.analysis import response_names, select_response
from corefbench.workbench.document_text import DocumentText, document_text, layout_paragraphs
from corefbench.workbench.mentions import CASES, ERROR_MARKS, Mentions, list_mentions
from corefbench.workbench.routes import url_for
from corefbench.workbench.storage import Workbench
from corefbench.workbench.views.reading import displayed_layer, document_number

_FILTER_TITLES = {
    "class": "Class of error",
    "type": "Type of mention",
    "pronoun": "Pronoun",
    "distance": "Sentences to the antecedent",
}
_FILTER_STRATA = {"class": "class", "type": "type", "pronoun": "pronoun", "distance": "sentences"}
_ANY = "any"
_MAX_LISTED = 1200
"""Mentions of a group that the page lists."""
_MAX_RESPONSES = 6
"""Responses side by side."""
_UNKNOWN_STRATA = ("unknown", "", "")
"""Type, pronoun and distance of a mention that only other responses have."""


class ResponseOutcome(Record, frozen=True):
    """The outcome of one response for one mention."""

    mention: int
    """Its number among the mentions of the response; -1 if it has none."""
    case: int
    """Index of ``CASES``; -1 if only other responses have the mention."""
    right: bool
    kind: str
    """The class of its error."""
    chosen: str


class ComparedMention(Record, frozen=True):
    """A mention of the key, or a span that only responses have."""

    span: Span
    text: str
    sentence: int
    expected: str
    type: str
    pronoun: str
    distance: str
    stands: tuple[ResponseOutcome, ...]
    shown: bool = True
    """Whether it matches the filters; the page hides the others."""


class _ReadResponse(Record, frozen=True):
    """The mentions of a response with their strata and errors."""

    mentions: Mentions
    numbers: dict[tuple[int, int, int], int]
    """Numbers of the mentions by span and number of the key's mention, or -1."""
    strata: dict[Span, tuple[str, str, str]]
    """Type, pronoun and distance; those of the key where both have a mention."""
    errors: dict[Span, str]
    """Classes of wrong decisions."""


def compare_page(workbench: Workbench, query: Query) -> Page:
    """Show two or more responses side by side."""
    name = query["run"]
    run = workbench.run(name)
    number = document_number(run, query["document"])
    label = run.documents[number]
    reading_url = url_for("reading", run=name, document=number)
    return Page(
        template="compare.html",
        title="Compare",
        model=_build_model(name, run, number, query),
        breadcrumbs=(("Runs", url_for("home")), (name, url_for("results", run=name)), (label, reading_url)),
    )


def _build_model(name: str, run: Run, number: int, query: Query) -> dict[str, Any]:
    selected = _selected_responses(run, query)
    document = run.document(number)
    text = document_text(displayed_layer(document))
    profiles = {result.name: result.profile for result in run.header.results}
    responses = [_read_response(document, response, profiles[response]) for response in selected]
    compared = _compare_mentions(text, responses)
    is_bench = run.kind == "bench"
    filters = _build_filters(compared, {"type": "pronoun"} if is_bench else {}, query)
    filtered = [replace(mention, shown=_matches(mention, filters)) for mention in compared]
    complete = len(compared) <= _MAX_LISTED
    listed = filtered if complete else [mention for mention in filtered if mention.shown]
    return {
        "run": name,
        "kind": run.kind,
        "document": number,
        "label": document.label,
        "documents": run.documents,
        "responses": response_names(run),
        "show": "pronouns" if is_bench else "all",
        "cases": CASES,
        "panes": [
            {
                "letter": letter,
                "name": response,
                "counts": read.mentions.counts(),
                "pronouns": read.mentions.counts(pronouns=True),
                "mentions": read.mentions,
                "paragraphs": layout_paragraphs(text, read.mentions),
            }
            for letter, response, read in zip(ascii_lowercase, selected, responses, strict=False)
        ],
        "filters": filters,
        "groups": _group_by_outcome(listed, selected),
        # Whether every mention is listed, so that the script can filter without the server.
        "complete": complete,
        "pronouns_first": is_bench,
    }


def _selected_responses(run: Run, query: Query) -> list[str]:
    """Return the responses that the query names by letters, or the first two."""
    requested = [query[letter] for letter in ascii_lowercase[:_MAX_RESPONSES] if query.get(letter)]
    selected = list(dict.fromkeys(select_response(run, name) for name in requested))
    selected += [name for name in response_names(run) if name not in selected][: max(0, 2 - len(selected))]
    if len(selected) < 2:
        raise UsageError(
            "there is nothing to compare with",
            found=f"a run with one response, {selected[0] if selected else 'or none'}",
            expected="a run with two responses or more",
            remedy="score or resolve with another system too, in the same run",
        )
    return selected


def _read_response(document: RunDocument, response: str, profile: Profile) -> _ReadResponse:
    """Return a response; without strata and errors if it or the key lacks the document."""
    mentions = list_mentions(document, response)
    keys = zip(mentions.start, mentions.end, mentions.key_mention, strict=True)
    strata: dict[Span, tuple[str, str, str]] = {}
    errors: dict[Span, str] = {}
    layer = document.responses.get(response)
    if document.key is not None and layer is not None:
        pair = read_pair(layer_to_corpus(document.key), layer_to_corpus(layer), profile, report=ignore_finding)
        for side in (pair.response, pair.key):
            columns = zip(side.strata["type"], side.strata["pronoun"], side.strata["sentences"], strict=True)
            strata |= {side.span(mention): values for mention, values in enumerate(columns)}
        errors = {pair.side(error.side).span(error.mention): error.kind for error in classify_decisions(pair)[1]}
    numbers = {key: number for number, key in enumerate(keys)}
    return _ReadResponse(mentions=mentions, numbers=numbers, strata=strata, errors=errors)


def _compare_mentions(text: DocumentText, responses: Sequence[_ReadResponse]) -> list[ComparedMention]:
    """Return all mentions that count for at least one response, in text order."""
    keys = sorted({key for read in responses for key in read.numbers}, key=lambda key: (key[0], -key[1]))
    compared = []
    for key in keys:
        outcomes = tuple(_outcome(text, read, key) for read in responses)
        if all(outcome.case < 0 or CASES[outcome.case].mark in ("uncounted", "alone") for outcome in outcomes):
            continue
        span = key[:2]
        kind, pronoun, distance = next(
            (read.strata[span] for read in responses if span in read.strata), _UNKNOWN_STRATA
        )
        expected = (
            _antecedent_text(text, read.mentions, read.mentions.expected[read.numbers[key]])
            for read in responses
            if key in read.numbers
        )
        compared.append(
            ComparedMention(
                span=span,
                text=text.excerpt(*span),
                sentence=text.sentence(span[0]),
                expected=next(filter(None, expected), ""),
                type=kind,
                pronoun=pronoun,
                distance=distance,
                stands=outcomes,
            )
        )
    return compared


def _outcome(text: DocumentText, read: _ReadResponse, key: tuple[int, int, int]) -> ResponseOutcome:
    if key not in read.numbers:
        return ResponseOutcome(mention=-1, case=-1, right=True, kind="", chosen="")
    mention = read.numbers[key]
    case = read.mentions.case[mention]
    right = CASES[case].mark not in ERROR_MARKS
    return ResponseOutcome(
        mention=mention,
        case=case,
        right=right,
        kind="" if right else read.errors.get(key[:2], CASES[case].name),
        chosen=_antecedent_text(text, read.mentions, read.mentions.chosen[mention]),
    )


def _antecedent_text(text: DocumentText, mentions: Mentions, antecedent: int) -> str:
    return text.excerpt(mentions.start[antecedent], mentions.end[antecedent]) if antecedent >= 0 else ""


def _group_by_outcome(mentions: Sequence[ComparedMention], names: Sequence[str]) -> list[dict[str, Any]]:
    """Group mentions by who is right: the first but not all, others, nobody, everybody."""
    first, is_pair = names[0], len(names) == 2
    rest = names[1] if is_pair else "another"
    all_of = "both" if is_pair else "all"
    tests: tuple[tuple[str, str, Callable[[list[bool]], bool]], ...] = (
        ("first", f"{first} right, {rest} wrong", lambda right: right[0] and not all(right)),
        ("second", f"{first} wrong, {rest} right", lambda right: not right[0] and any(right)),
        ("none", f"{all_of} wrong", lambda right: not any(right)),
        ("every", f"{all_of} right", all),
    )
    groups = []
    for name, title, test in tests:
        members = [mention for mention in mentions if test([outcome.right for outcome in mention.stands])]
        total = sum(mention.shown for mention in members)
        groups.append({"name": name, "title": title, "places": members[:_MAX_LISTED], "total": total})
    return groups


def _filter_values(mention: ComparedMention) -> Mapping[str, Iterable[str]]:
    """Return the values of a mention for each filter."""
    return {
        "class": {outcome.kind for outcome in mention.stands if outcome.kind},
        "type": (mention.type,),
        "pronoun": (mention.pronoun,),
        "distance": (mention.distance,),
    }


def _build_filters(
    mentions: Sequence[ComparedMention], defaults: Mapping[str, str], query: Query
) -> list[dict[str, Any]]:
    """Return the filters: their values with the number of mentions, and the selected ones."""
    values = [_filter_values(mention) for mention in mentions]
    filters = []
    for name, title in _FILTER_TITLES.items():
        counts = Counter(value for row in values for value in row[name])
        order = [value for value in sort_strata(_FILTER_STRATA[name], counts) if value]
        selected = query.get(name) or defaults.get(name, _ANY)
        if selected not in (*order, _ANY):
            # Another document may have none of these: the list is empty, the selection stays.
            order.append(selected)
        filters.append(
            {"name": name, "title": title, "values": {value: counts[value] for value in order}, "taken": selected}
        )
    return filters


def _matches(mention: ComparedMention, filters: Iterable[Mapping[str, Any]]) -> bool:
    values = _filter_values(mention)
    return all(choice["taken"] in (_ANY, *values[choice["name"]]) for choice in filters)
