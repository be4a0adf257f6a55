"""Match the documents and mentions of a response with the key, and mark every mention.

Pairing, scopes and policies drop and reorder; each document and mention therefore carries its
number through them in a column of its own, and is known again afterwards.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.corpus import Corpus
from corefbench.corpus.strings import Strings
from corefbench.diagnostics import ignore_finding
from corefbench.records import Columns, Longs, Record
from corefbench.runs.schema import RunDocument, Twins
from corefbench.scoring.pairing import pair_documents
from corefbench.scoring.pipeline import concatenate_pairs, evaluate
from corefbench.scoring.profiles import Profile

_NUMBER_COLUMN = "#"
Mark: TypeAlias = Literal["right", "wrong", "missed", "spurious", "uncounted"]
SYMBOLS: dict[Mark, str] = {"right": "✓", "wrong": "✗", "missed": "○", "spurious": "+", "uncounted": "·"}


class ResponseMatch(Columns, frozen=True, eq=False):
    """The documents and mentions of a response matched with those of the key."""

    document: dict[int, int]
    """Response document → key document."""
    twin: Longs
    """For every mention of the response its twin, or -1."""
    counted: Longs
    """The mentions of the response that the profile counts …"""
    counted_key: Longs
    """… and those of the key."""


def match_mentions(key: Corpus, response: Corpus, profile: Profile) -> ResponseMatch:
    """Pair documents and align mentions as scoring does, under the main choices of the profile."""
    pairs = list(pair_documents(iter([_number_rows(key)]), iter([_number_rows(response)]), ignore_finding))
    document = {
        answer: asked
        for key_block, response_block in pairs
        for asked, answer in zip(_document_numbers(key_block), _document_numbers(response_block), strict=True)
        if answer >= 0
    }
    twin = np.full(len(response.mentions), -1, np.int64)
    counted: list[Longs] = []
    counted_key: list[Longs] = []
    # Wider scopes join documents, which must therefore be in one block.
    for key_block, response_block in pairs if profile.scope == "document" else concatenate_pairs(iter(pairs)):
        alignment = evaluate(key_block, response_block, profile, {}).alignment
        response_numbers, key_numbers = (_mention_numbers(alignment.response), _mention_numbers(alignment.key))
        counted.append(response_numbers)
        counted_key.append(key_numbers)
        has_twin = alignment.twins.key >= 0
        twin[response_numbers[has_twin]] = key_numbers[alignment.twins.key[has_twin]]
    return ResponseMatch(
        document=document,
        twin=twin,
        counted=np.concatenate(counted) if counted else np.zeros(0, np.int64),
        counted_key=np.concatenate(counted_key) if counted_key else np.zeros(0, np.int64),
    )


def twins_by_document(key: Corpus, response: Corpus, matched: ResponseMatch) -> Iterator[tuple[int, Twins]]:
    """Yield the twins of every shared document, numbered within it."""
    edges, key_edges = _mention_edges(response), _mention_edges(key)
    out = np.setdiff1d(np.arange(len(response.mentions)), matched.counted)
    key_out = np.setdiff1d(np.arange(len(key.mentions)), matched.counted_key)
    for answer, asked in matched.document.items():
        first, last = edges[answer], edges[answer + 1]
        top, bottom = key_edges[asked], key_edges[asked + 1]
        twins = matched.twin[first:last]
        yield (
            asked,
            Twins(
                twins=tuple(np.where(twins >= 0, twins - top, -1).tolist()),
                uncounted=_numbers_within(out, first, last),
                uncounted_key=_numbers_within(key_out, top, bottom),
            ),
        )


def _numbers_within(numbers: Longs, first: int, last: int) -> tuple[int, ...]:
    inside = slice(*np.searchsorted(numbers, [first, last]))
    return tuple((numbers[inside] - first).tolist())


def _mention_edges(corpus: Corpus) -> list[int]:
    """Return the number of the first mention of each document."""
    edges = np.searchsorted(corpus.mentions.document, np.arange(len(corpus) + 1))
    return [int(edge) for edge in edges]


def _number_rows(corpus: Corpus) -> Corpus:
    mentions, documents = corpus.mentions, corpus.documents
    numbers = Strings.of(map(str, range(len(mentions))))
    names = tuple(map(str, range(len(documents))))
    return replace(
        corpus,
        mentions=replace(mentions, columns={**mentions.columns, _NUMBER_COLUMN: numbers}),
        documents=replace(documents, columns={**documents.columns, _NUMBER_COLUMN: names}),
    )


def _mention_numbers(corpus: Corpus) -> Longs:
    column = corpus.mentions.columns.get(_NUMBER_COLUMN)
    return np.array([int(number) for number in column or ()], np.int64)


def _document_numbers(corpus: Corpus) -> list[int]:
    """Return the document numbers; -1 for a missing document."""
    column = corpus.documents.columns.get(_NUMBER_COLUMN, ("",) * len(corpus))
    return [int(number or -1) for number in column]


class MentionMarks(Record, frozen=True):
    """A mark for every mention."""

    key: tuple[Mark, ...]
    response: tuple[Mark, ...]


def mark_mentions(document: RunDocument, response: str) -> MentionMarks:
    """Mark the mentions of one document in the key and a response.

    A mention that both sides have is *right* if the response decides about it as the key does: both
    begin a chain with it, or the mention before it in its response chain is in its key chain. It is
    *wrong* otherwise: a false new chain, a link where the key has none, or a link to another chain.
    """
    layer, key_layer = document.responses.get(response), document.key
    matched = document.matched.get(response, Twins())
    key_chain = key_layer.mentions.chain if key_layer is not None else ()
    if layer is None:
        return MentionMarks(key=tuple("missed" for _ in key_chain), response=())
    twins = matched.twins or (-1,) * len(layer.mentions.chain)
    previous, key_previous = _previous_in_chain(layer.mentions.chain), _previous_in_chain(key_chain)
    response_marks: list[Mark] = []
    key_marks: list[Mark] = ["missed"] * len(key_chain)
    for mention, twin in enumerate(twins):
        mark: Mark = "spurious"
        if twin >= 0:
            link = previous[mention]
            linked = link is not None and twins[link] >= 0
            if link is None:
                is_right = key_previous[twin] is None
            else:
                is_right = linked and key_chain[twins[link]] == key_chain[twin]
            mark = "right" if is_right else "wrong"
            key_marks[twin] = mark
        response_marks.append(mark)
    for mention in matched.uncounted:
        response_marks[mention] = "uncounted"
    for mention in matched.uncounted_key:
        key_marks[mention] = "uncounted"
    return MentionMarks(key=tuple(key_marks), response=tuple(response_marks))


def _previous_in_chain(chains: Sequence[int]) -> list[int | None]:
    """Return for each mention the previous one of its chain.

    >>> _previous_in_chain([0, 1, 0, 0])
    [None, None, 0, 2]
    """
    last: dict[int, int] = {}
    previous = []
    for mention, chain in enumerate(chains):
        previous.append(last.get(chain))
        last[chain] = mention
    return previous
