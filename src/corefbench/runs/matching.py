"""Which document answers which, and which mention of a response is the twin of which of the key.

Pairing, scopes and policies drop and reorder; each document and mention therefore carries its
number through them in a column of its own, and is known again afterwards.
"""

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from corefbench.findings import ignore
from corefbench.model.corpus import Corpus
from corefbench.model.strings import Strings
from corefbench.profiles import Profile
from corefbench.record import Columns, Longs
from corefbench.runs.schema import Twinned
from corefbench.scoring.evaluate import evaluate
from corefbench.scoring.pairing import paired
from corefbench.scoring.run import as_one

_NUMBER = "#"


class Matched(Columns, frozen=True, eq=False):
    """A response seen from the key."""

    document: dict[int, int]
    """The number of the key's document that each document of the response answers."""
    twin: Longs
    """For every mention of the response its twin, or -1."""
    counted: Longs
    """The mentions of the response that the profile counts …"""
    counted_key: Longs
    """… and those of the key."""


def match(key: Corpus, response: Corpus, profile: Profile) -> Matched:
    """Pair and align as scoring does, under the choices that the profile makes for most scores."""
    pairs = list(paired(iter([_numbered(key)]), iter([_numbered(response)]), ignore))
    document = {
        answer: asked
        for one, other in pairs
        for asked, answer in zip(_documents(one), _documents(other), strict=True)
        if answer >= 0
    }
    twin = np.full(len(response.mentions), -1, np.int64)
    counted: list[Longs] = []
    counted_key: list[Longs] = []
    for one, other in pairs if profile.scope == "document" else as_one(iter(pairs)):
        alignment = evaluate(one, other, profile, {}).alignment
        mine, theirs = _mentions(alignment.response), _mentions(alignment.key)
        counted.append(mine)
        counted_key.append(theirs)
        found = alignment.twins.key >= 0
        twin[mine[found]] = theirs[alignment.twins.key[found]]
    return Matched(
        document=document,
        twin=twin,
        counted=np.concatenate(counted) if counted else np.zeros(0, np.int64),
        counted_key=np.concatenate(counted_key) if counted_key else np.zeros(0, np.int64),
    )


def by_document(key: Corpus, response: Corpus, matched: Matched) -> Iterator[tuple[int, Twinned]]:
    """For every document of the key that the response has, its twins, numbered within it."""
    edges, key_edges = _edges(response), _edges(key)
    out = np.setdiff1d(np.arange(len(response.mentions)), matched.counted)
    key_out = np.setdiff1d(np.arange(len(key.mentions)), matched.counted_key)
    for answer, asked in matched.document.items():
        first, last = edges[answer], edges[answer + 1]
        top, bottom = key_edges[asked], key_edges[asked + 1]
        twins = matched.twin[first:last]
        yield (
            asked,
            Twinned(
                twins=tuple(np.where(twins >= 0, twins - top, -1).tolist()),
                uncounted=_within(out, first, last),
                uncounted_key=_within(key_out, top, bottom),
            ),
        )


def _within(numbers: Longs, first: int, last: int) -> tuple[int, ...]:
    some = slice(*np.searchsorted(numbers, [first, last]))
    return tuple((numbers[some] - first).tolist())


def _edges(corpus: Corpus) -> list[int]:
    """Where the mentions of each document begin."""
    edges = np.searchsorted(corpus.mentions.document, np.arange(len(corpus) + 1))
    return [int(edge) for edge in edges]


def _numbered(corpus: Corpus) -> Corpus:
    mentions, documents = corpus.mentions, corpus.documents
    numbers = Strings.of(map(str, range(len(mentions))))
    names = tuple(map(str, range(len(documents))))
    return replace(
        corpus,
        mentions=replace(mentions, columns={**mentions.columns, _NUMBER: numbers}),
        documents=replace(documents, columns={**documents.columns, _NUMBER: names}),
    )


def _mentions(corpus: Corpus) -> Longs:
    column = corpus.mentions.columns.get(_NUMBER)
    return np.array([int(number) for number in column or ()], np.int64)


def _documents(corpus: Corpus) -> list[int]:
    """The numbers; -1 for a document that is not there."""
    column = corpus.documents.columns.get(_NUMBER, ("",) * len(corpus))
    return [int(number or -1) for number in column]
