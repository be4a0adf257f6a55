"""Reading view: one document with the outcome of every mention."""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from heapq import nsmallest
from typing import Any

from corefbench.bench.reasons import Reason, Span, WeighedCandidate
from corefbench.errors import UnknownName, UsageError
from corefbench.runs import Run
from corefbench.runs.schema import Layer, RunDocument
from corefbench.web.pages import Page, Query
from corefbench.workbench.analysis import response_names, select_response
from corefbench.workbench.document_text import DocumentText, Paragraphs, document_text
from corefbench.workbench.mentions import CASES, Mentions, list_mentions
from corefbench.workbench.routes import url_for
from corefbench.workbench.storage import Workbench

SHOW_CHOICES = ("all", "pronouns", "errors")
"""What is marked in the text; pronouns are the default for comparisons of resolvers."""
_MAX_LISTED = 60
"""Entities and errors in the page; the script adds the others on demand."""
_STREAMED_FROM_WORDS = 10_000
"""Length of a text from which its page is sent piece by piece."""


def reading_page(workbench: Workbench, query: Query) -> Page:
    """Show a document."""
    name = query["run"]
    run = workbench.run(name)
    number = document_number(run, query["document"])
    response = select_response(run, query.get("response"))
    show = query.get("show") or ("pronouns" if run.kind == "bench" else "all")
    if show not in SHOW_CHOICES:
        raise UnknownName("choice of what to show", show, list(SHOW_CHOICES))
    model = _build_model(name, run, number, response, show)
    return Page(
        template="reading.html",
        title=run.documents[number],
        model=model,
        is_long=model["words"] > _STREAMED_FROM_WORDS,
        breadcrumbs=(("Runs", url_for("home")), (name, url_for("results", run=name))),
    )


@lru_cache(maxsize=4)  # an open run stays the same object while its file does not change
def _build_model(name: str, run: Run, number: int, response: str, show: str) -> dict[str, Any]:
    document = run.document(number)
    text = document_text(displayed_layer(document))
    mentions = list_mentions(document, response)
    entities, entity_count = _list_entities(text, mentions)
    errors = mentions.errors(pronouns=show == "pronouns")
    reasons = document.reasons.get(response, ())
    # The only document of a run may be a novel: its mentions are not listed twice.
    is_only = len(run.documents) == 1
    return {
        "run": name,
        "kind": run.kind,
        "document": number,
        "label": document.label,
        "response": response,
        "responses": response_names(run),
        "documents": [_document_entry(0, document.label, mentions)] if is_only else _list_documents(run, response),
        "words": len(text.begin),
        "show": show,
        "counts": mentions.counts(),
        "pronouns": mentions.counts(pronouns=True),
        "cases": CASES,
        "entities": entities,
        "all_entities": entity_count,
        "mistakes": [_error_entry(text, mentions, mention) for mention in errors[:_MAX_LISTED]],
        "all_mistakes": len(errors),
        "mentions": mentions,
        "paragraphs": Paragraphs(text, mentions),
        "why": _Explainer(text, mentions).explain(reasons) if reasons else None,
        # The side that does not have the document, if any.
        "missing": "key" if document.key is None else "" if response in document.responses else "response",
    }


def document_number(run: Run, name: str) -> int:
    """Return the number of a document by its number or label."""
    if name in run.documents:
        return run.documents.index(name)
    if not (name.isdecimal() and name.isascii()):
        raise UnknownName("document", name, list(run.documents))
    number = int(name)
    if number >= len(run.documents):
        expected = f"0 to {len(run.documents) - 1}" if run.documents else "a run with documents"
        raise UsageError(f"there is no document {number} in this run", expected=expected)
    return number


def displayed_layer(document: RunDocument) -> Layer:
    """Return the layer whose words are shown: the key, or a response that has the document."""
    layers = (document.key, *document.responses.values())
    displayed = next((layer for layer in layers if layer is not None), None)
    if displayed is None:
        raise UnknownName("text of document", document.label, [])
    return displayed


@lru_cache(maxsize=32)
def _list_documents(run: Run, response: str) -> list[dict[str, Any]]:
    """Return all documents with the errors of one response, and the pronouns among them."""
    return [
        _document_entry(number, label, list_mentions(run.document(number), response))
        for number, label in enumerate(run.documents)
    ]


def _document_entry(number: int, label: str, mentions: Mentions) -> dict[str, Any]:
    return {
        "number": number,
        "label": label,
        "mentions": sum(key >= 0 for key in mentions.key),
        "errors": len(mentions.errors()),
        "pronoun_errors": len(mentions.errors(pronouns=True)),
    }


def _list_entities(text: DocumentText, mentions: Mentions) -> tuple[list[dict[str, Any]], int]:
    """Return the largest chains of the key or only of the response, and the number of all."""
    key: dict[int, list[int]] = defaultdict(list)
    response: dict[int, list[int]] = defaultdict(list)
    answered = set()
    for mention, (key_chain, response_chain) in enumerate(zip(mentions.key, mentions.response, strict=True)):
        if key_chain >= 0:
            key[key_chain].append(mention)
            answered.add(response_chain)
        elif response_chain >= 0:
            response[response_chain].append(mention)
    rows = [("key", chain, members) for chain, members in key.items()]
    rows += [("response", chain, members) for chain, members in response.items() if chain not in answered]
    entities = []
    for side, chain, members in nsmallest(_MAX_LISTED, rows, key=lambda row: (-len(row[2]), row[2][0])):
        named = next((mention for mention in members if not mentions.pronoun[mention]), members[0])
        entities.append(
            {
                "name": text.excerpt(mentions.start[named], mentions.end[named]),
                "side": side,
                "chain": chain,
                "size": len(members),
                "errors": sum(map(mentions.is_error, members)),
                "first": members[0],
            }
        )
    return entities, len(rows)


def _error_entry(text: DocumentText, mentions: Mentions, mention: int) -> dict[str, Any]:
    def excerpt(other: int) -> str:
        return text.excerpt(mentions.start[other], mentions.end[other]) if other >= 0 else ""

    return {
        "mention": mention,
        "case": mentions.case[mention],
        "text": excerpt(mention),
        "sentence": text.sentence(mentions.start[mention]),
        "chosen": excerpt(mentions.chosen[mention]),
        "expected": excerpt(mentions.expected[mention]),
    }


class _Explainer:
    """Explains decisions; phrases and factors are numbered, so that each is in the page only once."""

    def __init__(self, text: DocumentText, mentions: Mentions) -> None:
        self._text = text
        self._mentions = mentions.by_span()
        self._phrases: dict[Span, int] = {}
        self._factors: dict[str, int] = {}

    def explain(self, reasons: Sequence[Reason]) -> dict[str, Any]:
        """Return the decisions, and the tables that their numbers refer to; -1 is none."""
        decisions = [
            {
                "mention": self._mentions[reason.anaphor],
                "antecedent": -1 if reason.antecedent is None else self._phrase(reason.antecedent),
                "rule": reason.rule,
                "confidence": reason.confidence,
                "candidates": [self._candidate(candidate) for candidate in reason.candidates],
            }
            for reason in reasons
            if reason.anaphor in self._mentions
        ]
        phrases = [(self._text.excerpt(*span), self._mentions.get(span, -1)) for span in self._phrases]
        return {"phrases": phrases, "factors": list(self._factors), "decisions": decisions}

    def _phrase(self, span: Span) -> int:
        return self._phrases.setdefault(span, len(self._phrases))

    def _candidate(self, candidate: WeighedCandidate) -> tuple[int, str, float | None, list[tuple[int, float]]]:
        """Return the number of the phrase, why it was dropped, its score, and the factors by number."""
        factors = [(self._factors.setdefault(name, len(self._factors)), value) for name, value in candidate.factors]
        return self._phrase(candidate.span), candidate.dropped, candidate.score, factors
