"""The reading view: one document, with what became of every mention of it."""

from functools import lru_cache
from typing import Any

from corefbench.errors import UnknownName
from corefbench.record import Record
from corefbench.runs import Run
from corefbench.runs.schema import Layer, RunDocument
from corefbench.web.page import Page, Query
from corefbench.web.reading.cases import CASES, Case
from corefbench.web.reading.documents import Listed, entry, listed, number_of, response_of
from corefbench.web.reading.entities import Entity, entities
from corefbench.web.reading.flow import Flow
from corefbench.web.reading.mentions import Mentions, mentions
from corefbench.web.reading.prose import Prose, prose
from corefbench.web.reading.why import Why, why
from corefbench.web.routes import address
from corefbench.web.workbench import Workbench

SHOWN = ("all", "pronouns", "errors")
"""What may be marked in the text; comparisons of resolvers are read for their pronouns."""
_LIST = 60
"""Entities and errors that the page lists; its script lists the others."""


class Mistake(Record, frozen=True):
    """An error in a list."""

    mention: int
    case: int
    text: str
    sentence: int
    chosen: str
    expected: str


class Reading(Record, frozen=True):
    """What is read."""

    run: str
    kind: str
    document: int
    label: str
    response: str
    responses: tuple[str, ...]
    documents: tuple[Listed, ...]
    words: int
    show: str
    counts: dict[str, int]
    """Mentions by mark …"""
    pronouns: dict[str, int]
    """… and third-person pronouns."""
    cases: tuple[Case, ...]
    entities: tuple[Entity, ...]
    """The largest."""
    all_entities: int
    mistakes: tuple[Mistake, ...]
    """The first."""
    all_mistakes: int
    mentions: Mentions
    paragraphs: Any
    """A ``Flow`` of paragraphs."""
    why: Why | None
    """The reasons of the resolver; None where the run keeps none."""
    missing: str = ""
    """``key`` or ``response``, where it does not have the document."""


_LONG = 10_000
"""Words of a text from which its page is sent piece by piece."""


def view(workbench: Workbench, query: Query) -> Page:
    """The page."""
    name = query["run"]
    run = workbench.run(name)
    number = number_of(run, query["document"])
    response = response_of(run, query.get("response"))
    show = query.get("show") or ("pronouns" if run.kind == "bench" else "all")
    if show not in SHOWN:
        raise UnknownName("choice of what to show", show, list(SHOWN))
    model = _model(name, run, number, response, show)
    return Page(
        template="reading.html",
        title=run.documents[number],
        model=model,
        long=model.words > _LONG,
        crumbs=(("Runs", address("home")), (name, address("results", run=name))),
    )


@lru_cache(maxsize=4)  # a workbench opens a run once while its file stays the same
def _model(name: str, run: Run, number: int, response: str, show: str) -> Reading:
    document = run.document(number)
    text = prose(shown_layer(document))
    found = mentions(document, response)
    largest, known = entities(text, found, _LIST)
    wrong = found.errors(pronouns=show == "pronouns")
    return Reading(
        run=name,
        kind=run.kind,
        document=number,
        label=document.label,
        response=response,
        responses=tuple(result.name for result in run.header.results),
        documents=_documents(run, response, document, found),
        words=len(text.begin),
        show=show,
        counts=found.counts(),
        pronouns=found.counts(pronouns=True),
        cases=CASES,
        entities=largest,
        all_entities=known,
        mistakes=tuple(_mistake(text, found, mention) for mention in wrong[:_LIST]),
        all_mistakes=len(wrong),
        mentions=found,
        paragraphs=Flow(text, found),
        why=why(document.reasons.get(response, ()), text, found),
        missing=_missing(document, response),
    )


def _documents(
    run: Run, response: str, document: RunDocument, found: Mentions
) -> tuple[Listed, ...]:
    if len(run.documents) > 1:
        return listed(run, response)
    return (entry(0, document.label, found),)


def _mistake(text: Prose, found: Mentions, mention: int) -> Mistake:
    def said(other: int) -> str:
        return text.said(found.start[other], found.end[other]) if other >= 0 else ""

    return Mistake(
        mention=mention,
        case=found.case[mention],
        text=said(mention),
        sentence=text.sentence(found.start[mention]),
        chosen=said(found.chosen[mention]),
        expected=said(found.expected[mention]),
    )


def shown_layer(document: RunDocument) -> Layer:
    """Whose words are shown: the key's, else those of a response that has the document."""
    layers = (document.key, *document.responses.values())
    found = next((layer for layer in layers if layer is not None), None)
    if found is None:
        raise UnknownName("text of document", document.label, [])
    return found


def _missing(document: RunDocument, response: str) -> str:
    if document.key is None:
        return "key"
    return "" if response in document.responses else "response"
