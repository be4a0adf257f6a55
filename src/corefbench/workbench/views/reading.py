"""Reading view: one document with the outcome of every mention."""

from functools import lru_cache
from typing import Any

from corefbench.errors import UnknownName
from corefbench.records import Record
from corefbench.runs import Run
from corefbench.runs.schema import Layer, RunDocument
from corefbench.web.pages import Page, Query
from corefbench.workbench.reading.explanations import Explanations, explain_decisions
from corefbench.workbench.reading.layout import Paragraphs
from corefbench.workbench.reading.mentions import CASES, Case, Mentions, list_mentions
from corefbench.workbench.reading.sidebar import (
    DocumentEntry,
    Entity,
    choose_response,
    document_entry,
    document_number,
    list_documents,
    list_entities,
)
from corefbench.workbench.reading.text import DocumentText, document_text
from corefbench.workbench.routes import url_for
from corefbench.workbench.storage import Workbench

SHOW_CHOICES = ("all", "pronouns", "errors")
"""What is marked in the text; pronouns are the default for comparisons of resolvers."""
_MAX_LISTED = 60
"""Entities and errors in the page; the script adds the others on demand."""
_STREAMED_FROM_WORDS = 10_000
"""Length of a text from which its page is sent piece by piece."""


class ErrorEntry(Record, frozen=True):
    """An error in the list."""

    mention: int
    case: int
    text: str
    sentence: int
    chosen: str
    expected: str


class ReadingPage(Record, frozen=True):
    """A document with the mentions of key and response."""

    run: str
    kind: str
    document: int
    label: str
    response: str
    responses: tuple[str, ...]
    documents: tuple[DocumentEntry, ...]
    words: int
    show: str
    counts: dict[str, int]
    """Mentions by mark …"""
    pronouns: dict[str, int]
    """… and third-person pronouns."""
    cases: tuple[Case, ...]
    entities: tuple[Entity, ...]
    """The largest entities."""
    all_entities: int
    mistakes: tuple[ErrorEntry, ...]
    """The first errors."""
    all_mistakes: int
    mentions: Mentions
    paragraphs: Any
    """``Paragraphs``, which msgspec encodes as a list."""
    why: Explanations | None
    """Explanations of the resolver; None if the run has none."""
    missing: str = ""
    """``key`` or ``response`` if it does not have the document."""


def reading_page(workbench: Workbench, query: Query) -> Page:
    """Show a document."""
    name = query["run"]
    run = workbench.run(name)
    number = document_number(run, query["document"])
    response = choose_response(run, query.get("response"))
    show = query.get("show") or ("pronouns" if run.kind == "bench" else "all")
    if show not in SHOW_CHOICES:
        raise UnknownName("choice of what to show", show, list(SHOW_CHOICES))
    model = _build_model(name, run, number, response, show)
    return Page(
        template="reading.html",
        title=run.documents[number],
        model=model,
        is_long=model.words > _STREAMED_FROM_WORDS,
        breadcrumbs=(("Runs", url_for("home")), (name, url_for("results", run=name))),
    )


@lru_cache(maxsize=4)  # an open run stays the same object while its file does not change
def _build_model(name: str, run: Run, number: int, response: str, show: str) -> ReadingPage:
    document = run.document(number)
    text = document_text(displayed_layer(document))
    mentions = list_mentions(document, response)
    largest, entity_count = list_entities(text, mentions, _MAX_LISTED)
    errors = mentions.errors(pronouns=show == "pronouns")
    return ReadingPage(
        run=name,
        kind=run.kind,
        document=number,
        label=document.label,
        response=response,
        responses=tuple(result.name for result in run.header.results),
        documents=_document_entries(run, response, document, mentions),
        words=len(text.begin),
        show=show,
        counts=mentions.counts(),
        pronouns=mentions.counts(pronouns=True),
        cases=CASES,
        entities=largest,
        all_entities=entity_count,
        mistakes=tuple(_error_entry(text, mentions, mention) for mention in errors[:_MAX_LISTED]),
        all_mistakes=len(errors),
        mentions=mentions,
        paragraphs=Paragraphs(text, mentions),
        why=explain_decisions(document.reasons.get(response, ()), text, mentions),
        missing=_missing_side(document, response),
    )


def _document_entries(run: Run, response: str, document: RunDocument, mentions: Mentions) -> tuple[DocumentEntry, ...]:
    if len(run.documents) > 1:
        return list_documents(run, response)
    return (document_entry(0, document.label, mentions),)


def _error_entry(text: DocumentText, mentions: Mentions, mention: int) -> ErrorEntry:
    def excerpt(other: int) -> str:
        return text.excerpt(mentions.start[other], mentions.end[other]) if other >= 0 else ""

    return ErrorEntry(
        mention=mention,
        case=mentions.case[mention],
        text=excerpt(mention),
        sentence=text.sentence(mentions.start[mention]),
        chosen=excerpt(mentions.chosen[mention]),
        expected=excerpt(mentions.expected[mention]),
    )


def displayed_layer(document: RunDocument) -> Layer:
    """Return the layer whose words are shown: the key, or a response that has the document."""
    layers = (document.key, *document.responses.values())
    displayed = next((layer for layer in layers if layer is not None), None)
    if displayed is None:
        raise UnknownName("text of document", document.label, [])
    return displayed


def _missing_side(document: RunDocument, response: str) -> str:
    if document.key is None:
        return "key"
    return "" if response in document.responses else "response"
