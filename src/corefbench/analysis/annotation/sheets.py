"""A sheet: every span that somebody marked in a document, and the chain each annotator gives it."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from corefbench.analysis.annotation.gathering import Annotations
from corefbench.errors import Place
from corefbench.findings import Finding, Report
from corefbench.model.corpus import Corpus
from corefbench.record import Columns, Longs
from corefbench.scope import Scope, group_names

Parts: TypeAlias = tuple[tuple[int, int], ...]
Spot: TypeAlias = tuple[int, Parts]
"""A document of the base, and the half-open parts of a span in it."""

UNMARKED = -1
ABSENT = -2
"""The annotator does not have the document, and has no vote."""


class Sheet(Columns, frozen=True, eq=False):
    """Spans as rows, annotators as columns."""

    label: str
    """The document's label, or the name of what was taken as one."""
    spots: tuple[Spot, ...]
    chains: Longs
    """The number of the chain in its annotation, UNMARKED or ABSENT."""
    mentions: Longs
    """The number of the mention in its annotation, else as above."""


def sheets(
    annotations: Annotations, *, scope: Scope = "document", report: Report | None = None
) -> Iterator[Sheet]:
    """A sheet a document, or a topic, a subtopic, or one of all.

    A span that an annotation has twice keeps the chain it has first; that is reported.
    """
    units, groups = _units(annotations, scope)
    rows = [
        _by_document(corpus, _chains(corpus, units[documents], documents))
        for corpus, documents in zip(annotations.corpora, _owned(annotations), strict=True)
    ]
    for unit, label in enumerate(groups):
        yield _sheet(annotations, label, np.flatnonzero(units == unit).tolist(), rows, report)


Row: TypeAlias = tuple[Parts, int, int]


def _units(annotations: Annotations, scope: Scope) -> tuple[Longs, tuple[str, ...]]:
    """The unit of every document of the base, and the names of units."""
    base = annotations.base
    if scope == "document":
        return np.arange(len(base)), base.documents.labels()
    names = group_names(base, scope)
    groups = tuple(dict.fromkeys(names))
    return np.array([groups.index(name) for name in names], np.int64), groups


def _owned(annotations: Annotations) -> list[Longs]:
    """For each annotation, the number in the base of each of its documents."""
    made = []
    for number, corpus in enumerate(annotations.corpora):
        column = annotations.documents[:, number]
        place = np.zeros(len(corpus), np.int64)
        place[column[column >= 0]] = np.flatnonzero(column >= 0)
        made.append(place)
    return made


def _chains(corpus: Corpus, unit: Longs, documents: Longs) -> Longs:
    """The chain of every mention; chains of one label are one within a unit."""
    chains = corpus.chains
    if len(set(unit.tolist())) == len(documents):
        return corpus.mentions.chain.astype(np.int64)
    _, label = np.unique(chains.labels, return_inverse=True)
    _, joined = np.unique(unit[chains.document] * (len(chains) + 1) + label, return_inverse=True)
    return np.asarray(joined[corpus.mentions.chain], np.int64)


def _by_document(corpus: Corpus, chains: Longs) -> list[list[Row]]:
    """The mentions of each document: parts, chain, number."""
    made: list[list[Row]] = [[] for _ in range(len(corpus))]
    mentions = corpus.mentions
    columns = (mentions.document, mentions.start, mentions.end, chains)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for number, (document, start, end, chain) in enumerate(rows):
        parts = ((start, end),) if mentions.parts is None else tuple(mentions.parts.of(number))
        made[document].append((parts, chain, number))
    return made


def _sheet(
    annotations: Annotations,
    label: str,
    documents: Sequence[int],
    rows: Sequence[list[list[Row]]],
    report: Report | None,
) -> Sheet:
    found: dict[Spot, list[tuple[int, int]]] = {}
    for document in documents:
        owners = annotations.documents[document].tolist()
        blank = [(UNMARKED, UNMARKED) if own >= 0 else (ABSENT, ABSENT) for own in owners]
        for annotator, own in enumerate(owners):
            for parts, chain, number in rows[annotator][own] if own >= 0 else ():
                cells = found.setdefault((document, parts), list(blank))
                if cells[annotator][0] < 0:
                    cells[annotator] = (chain, number)
                elif report is not None:
                    report(_repeated(annotations, annotator, document, parts))
    spots = sorted(found, key=_opening)
    table = np.array([found[spot] for spot in spots], np.int64)
    table = table.reshape(-1, len(annotations.names), 2)
    return Sheet(label=label, spots=tuple(spots), chains=table[:, :, 0], mentions=table[:, :, 1])


def _opening(spot: Spot) -> tuple[int, int, int, Parts]:
    """By document and start, the longer of two that start together first."""
    document, parts = spot
    return document, parts[0][0], -parts[-1][1], parts


def _repeated(annotations: Annotations, annotator: int, document: int, parts: Parts) -> Finding:
    return Finding(
        code="CB113",
        severity="warning",
        message="a mention occurs twice; the chain it has first counts",
        place=Place(source=annotations.names[annotator], document=annotations.labels[document]),
        found=f"words {in_words(parts)}",
    )


def in_words(parts: Parts) -> str:
    """A span for people: the numbers of its tokens, half-open.

    >>> in_words(((3, 5),)), in_words(((3, 4), (6, 8)))
    ('3:5', '3:4+6:8')
    """
    return "+".join(f"{start}:{end}" for start, end in parts)
