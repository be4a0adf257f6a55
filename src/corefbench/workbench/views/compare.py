"""Compare responses side by side on one document."""

from collections.abc import Iterable, Mapping
from string import ascii_lowercase

from msgspec.structs import replace

from corefbench.analysis.errors.strata import sort_strata
from corefbench.errors import UsageError
from corefbench.records import Record
from corefbench.runs import Run
from corefbench.web.pages import Page, Query
from corefbench.workbench.reading.comparison import (
    ComparedMention,
    OutcomeGroup,
    compare_mentions,
    group_by_outcome,
    read_strata,
)
from corefbench.workbench.reading.layout import Paragraph, layout_paragraphs
from corefbench.workbench.reading.mentions import CASES, Case, Mentions, list_mentions
from corefbench.workbench.reading.sidebar import choose_response, document_number
from corefbench.workbench.reading.text import document_text
from corefbench.workbench.routes import url_for
from corefbench.workbench.storage import Workbench
from corefbench.workbench.views.reading import displayed_layer

FILTER_TITLES = {
    "class": "Class of error",
    "type": "Type of mention",
    "pronoun": "Pronoun",
    "distance": "Sentences to the antecedent",
}
ANY = "any"
_MAX_LISTED = 1200
"""Mentions of a group that the page lists."""
_MAX_RESPONSES = 6
"""Responses side by side."""


class Pane(Record, frozen=True):
    """The text with the mentions of one response."""

    letter: str
    name: str
    counts: dict[str, int]
    pronouns: dict[str, int]
    mentions: Mentions
    paragraphs: tuple[Paragraph, ...]


class FilterChoice(Record, frozen=True):
    """A filter: its values with the number of mentions, and the selected one."""

    name: str
    title: str
    values: dict[str, int]
    taken: str


class ComparePage(Record, frozen=True):
    """Responses side by side."""

    run: str
    kind: str
    document: int
    label: str
    documents: tuple[str, ...]
    responses: tuple[str, ...]
    show: str
    cases: tuple[Case, ...]
    panes: tuple[Pane, ...]
    filters: tuple[FilterChoice, ...]
    groups: tuple[OutcomeGroup, ...]
    complete: bool
    """Whether every mention is listed, so that the script can filter without the server."""
    pronouns_first: bool
    """Whether only pronouns are listed by default."""


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


def _build_model(name: str, run: Run, number: int, query: Query) -> ComparePage:
    selected = _selected_responses(run, query)
    document = run.document(number)
    text = document_text(displayed_layer(document))
    mentions = [list_mentions(document, response) for response in selected]
    profiles = {result.name: result.profile for result in run.header.results}
    strata = [read_strata(document, response, profiles[response]) for response in selected]
    compared = compare_mentions(text, mentions, strata)
    is_bench = run.kind == "bench"
    filters = _build_filters(compared, {"type": "pronoun"} if is_bench else {}, query)
    complete = len(compared) <= _MAX_LISTED
    filtered = [mention if matches_filters(mention, filters) else replace(mention, shown=False) for mention in compared]
    listed = filtered if complete else [mention for mention in filtered if mention.shown]
    return ComparePage(
        run=name,
        kind=run.kind,
        document=number,
        label=document.label,
        documents=run.documents,
        responses=tuple(result.name for result in run.header.results),
        show="pronouns" if is_bench else "all",
        cases=CASES,
        panes=tuple(
            Pane(
                letter=letter,
                name=response,
                counts=pane_mentions.counts(),
                pronouns=pane_mentions.counts(pronouns=True),
                mentions=pane_mentions,
                paragraphs=layout_paragraphs(text, pane_mentions),
            )
            for letter, response, pane_mentions in zip(ascii_lowercase, selected, mentions, strict=False)
        ),
        filters=filters,
        groups=group_by_outcome(listed, selected, _MAX_LISTED),
        complete=complete,
        pronouns_first=is_bench,
    )


def _selected_responses(run: Run, query: Query) -> list[str]:
    """Return the responses that the query names by letters, or the first two."""
    requested = [query[letter] for letter in ascii_lowercase[:_MAX_RESPONSES] if query.get(letter)]
    names = [result.name for result in run.header.results]
    selected = list(dict.fromkeys(choose_response(run, name) for name in requested))
    selected += [name for name in names if name not in selected][: max(0, 2 - len(selected))]
    if len(selected) < 2:
        raise UsageError(
            "there is nothing to compare with",
            found=f"a run with one response, {selected[0] if selected else 'or none'}",
            expected="a run with two responses or more",
            remedy="score or resolve with another system too, in the same run",
        )
    return selected


def _filter_values(mention: ComparedMention) -> Mapping[str, Iterable[str]]:
    """Return the values of a mention for each filter."""
    return {
        "class": {outcome.kind for outcome in mention.stands if outcome.kind},
        "type": (mention.type,),
        "pronoun": (mention.pronoun,),
        "distance": (mention.distance,),
    }


def _build_filters(
    mentions: tuple[ComparedMention, ...], defaults: Mapping[str, str], query: Query
) -> tuple[FilterChoice, ...]:
    counts: dict[str, dict[str, int]] = {name: {} for name in FILTER_TITLES}
    for mention in mentions:
        for name, values in _filter_values(mention).items():
            for value in values:
                counts[name][value] = counts[name].get(value, 0) + 1
    filters = []
    for name, title in FILTER_TITLES.items():
        stratum = {"class": "class", "distance": "sentences"}.get(name, name)
        order = [value for value in sort_strata(stratum, counts[name]) if value]
        selected = query.get(name) or defaults.get(name, ANY)
        if selected not in (*order, ANY):
            # Another document may have none of these: the list is empty, the selection stays.
            order.append(selected)
        values = {value: counts[name].get(value, 0) for value in order}
        filters.append(FilterChoice(name=name, title=title, values=values, taken=selected))
    return tuple(filters)


def matches_filters(mention: ComparedMention, filters: Iterable[FilterChoice]) -> bool:
    """Return whether a mention matches all filters."""
    values = _filter_values(mention)
    return all(choice.taken == ANY or choice.taken in values[choice.name] for choice in filters)
