"""Two responses or more on one document, side by side."""

from collections.abc import Iterable, Mapping
from string import ascii_lowercase

from msgspec.structs import replace

from corefbench.analysis.strata import in_order
from corefbench.errors import UsageError
from corefbench.record import Record
from corefbench.runs import Run
from corefbench.web.page import Page, Query
from corefbench.web.reading.cases import CASES, Case
from corefbench.web.reading.contrast import Group, Place, groups, places
from corefbench.web.reading.documents import number_of, response_of
from corefbench.web.reading.flow import Paragraph, flow
from corefbench.web.reading.mentions import Mentions, mentions
from corefbench.web.reading.prose import prose
from corefbench.web.reading.strata import kinds
from corefbench.web.routes import address
from corefbench.web.views.reading import shown_layer
from corefbench.web.workbench import Workbench

FILTERS = {
    "class": "Class of error",
    "type": "Type of mention",
    "pronoun": "Pronoun",
    "distance": "Sentences to the antecedent",
}
ANY = "any"
_LIST = 1200
"""Places of a group that the page lists."""
_MOST = 6
"""Responses side by side."""


class Pane(Record, frozen=True):
    """One response."""

    letter: str
    name: str
    counts: dict[str, int]
    pronouns: dict[str, int]
    mentions: Mentions
    paragraphs: tuple[Paragraph, ...]


class Choice(Record, frozen=True):
    """A filter: its values with how many places have each, and the one that is taken."""

    name: str
    title: str
    values: dict[str, int]
    taken: str


class Versus(Record, frozen=True):
    """What is compared."""

    run: str
    kind: str
    document: int
    label: str
    documents: tuple[str, ...]
    responses: tuple[str, ...]
    show: str
    cases: tuple[Case, ...]
    panes: tuple[Pane, ...]
    filters: tuple[Choice, ...]
    groups: tuple[Group, ...]
    complete: bool
    """Whether every place is listed, so that the page can filter by itself."""
    pronouns_first: bool
    """Whether only pronouns are listed unless something else is asked for."""


def view(workbench: Workbench, query: Query) -> Page:
    """The page."""
    name = query["run"]
    run = workbench.run(name)
    number = number_of(run, query["document"])
    label = run.documents[number]
    read = address("reading", run=name, document=number)
    return Page(
        template="versus.html",
        title="Compare",
        model=_model(name, run, number, query),
        crumbs=(
            ("Runs", address("home")),
            (name, address("results", run=name)),
            (label, read),
        ),
    )


def _model(name: str, run: Run, number: int, query: Query) -> Versus:
    chosen = _chosen(run, query)
    document = run.document(number)
    text = prose(shown_layer(document))
    found = [mentions(document, response) for response in chosen]
    profiles = {result.name: result.profile for result in run.header.results}
    known = [kinds(document, response, profiles[response]) for response in chosen]
    every = places(text, found, known)
    pronouns = run.kind == "bench"
    filters = _filters(every, {"type": "pronoun"} if pronouns else {}, query)
    complete = len(every) <= _LIST
    some = [place if fits(place, filters) else replace(place, shown=False) for place in every]
    listed = some if complete else [place for place in some if place.shown]
    return Versus(
        run=name,
        kind=run.kind,
        document=number,
        label=document.label,
        documents=run.documents,
        responses=tuple(result.name for result in run.header.results),
        show="pronouns" if pronouns else "all",
        cases=CASES,
        panes=tuple(
            Pane(
                letter=letter,
                name=response,
                counts=one.counts(),
                pronouns=one.counts(pronouns=True),
                mentions=one,
                paragraphs=flow(text, one),
            )
            for letter, response, one in zip(ascii_lowercase, chosen, found, strict=False)
        ),
        filters=filters,
        groups=groups(listed, chosen, _LIST),
        complete=complete,
        pronouns_first=pronouns,
    )


def _chosen(run: Run, query: Query) -> list[str]:
    """The responses that the address names by letters, else the first two."""
    asked = [query[letter] for letter in ascii_lowercase[:_MOST] if query.get(letter)]
    names = [result.name for result in run.header.results]
    made = list(dict.fromkeys(response_of(run, one) for one in asked))
    made += [name for name in names if name not in made][: max(0, 2 - len(made))]
    if len(made) < 2:
        raise UsageError(
            "there is nothing to compare with",
            found=f"a run with one response, {made[0] if made else 'or none'}",
            expected="a run with two responses or more",
            remedy="score or resolve with another system too, in the same run",
        )
    return made


def _values(place: Place) -> Mapping[str, Iterable[str]]:
    """What a place may be found by."""
    return {
        "class": {stand.kind for stand in place.stands if stand.kind},
        "type": (place.type,),
        "pronoun": (place.pronoun,),
        "distance": (place.distance,),
    }


def _filters(
    every: tuple[Place, ...], usual: Mapping[str, str], query: Query
) -> tuple[Choice, ...]:
    counted: dict[str, dict[str, int]] = {name: {} for name in FILTERS}
    for place in every:
        for name, values in _values(place).items():
            for value in values:
                counted[name][value] = counted[name].get(value, 0) + 1
    made = []
    for name, title in FILTERS.items():
        stratum = {"class": "class", "distance": "sentences"}.get(name, name)
        order = [value for value in in_order(stratum, counted[name]) if value]
        taken = query.get(name) or usual.get(name, ANY)
        if taken not in (*order, ANY):
            # Another document may have none of these: the list is empty, the choice stays.
            order.append(taken)
        values = {value: counted[name].get(value, 0) for value in order}
        made.append(Choice(name=name, title=title, values=values, taken=taken))
    return tuple(made)


def fits(place: Place, filters: Iterable[Choice]) -> bool:
    """Whether a place is what is asked for."""
    values = _values(place)
    return all(one.taken == ANY or one.taken in values[one.name] for one in filters)
