"""Places: a number for every word, the same in key and response although empty nodes may differ.

Surface tokens are counted without empty nodes; an empty node stands, by the number after the dot
of its ID (``8.1``), behind the surface token it follows.
"""

import numpy as np

from corefbench.model.corpus import Tokens
from corefbench.record import Longs

_MOST_DIGITS = 4
"""Longer numbers after the dot are no ranks; the node is then counted instead."""


def places(key: Tokens, response: Tokens) -> tuple[Longs, Longs, int]:
    """The place of every token of both sides, and how far apart surface tokens are.

    >>> from corefbench.model.builder import CorpusBuilder
    >>> def tokens(*ids):
    ...     build = CorpusBuilder("")
    ...     build.begin_document("d")
    ...     empty = ["." in i for i in ids]
    ...     build.sentence(ids, empty=empty, columns={"id": ids})
    ...     return build.finish().tokens
    >>> one, two, step = places(tokens("1", "1.1", "2"), tokens("0.1", "1", "1.1", "1.2", "2"))
    >>> one.tolist(), two.tolist(), step
    ([3, 4, 9], [1, 3, 4, 5, 9], 6)
    """
    surface = [_surface_counts(tokens) for tokens in (key, response)]
    # One slot to spare in each document, for empty nodes behind its last sentence.
    base = np.append(0, np.cumsum(np.maximum(*surface) + 1))
    rank = _ranks(key), _ranks(response)
    gap = 1 + max(int(r.max(initial=0)) for r in rank)
    return _places(key, base, rank[0], gap), _places(response, base, rank[1], gap), 2 * gap


def _surface_counts(tokens: Tokens) -> Longs:
    counts = np.diff(tokens.offsets)
    if tokens.empty is None:
        return counts
    return counts - np.diff(np.append(0, np.cumsum(tokens.empty))[tokens.offsets])


def _ranks(tokens: Tokens) -> Longs:
    """For each token 0, for an empty node its number behind the surface token it follows."""
    rank = np.zeros(len(tokens), np.int64)
    if tokens.empty is None:
        return rank
    where = np.flatnonzero(tokens.empty)
    fence = np.where(tokens.empty, -1, np.arange(len(tokens)))
    starts = tokens.sentences[tokens.sentences < len(tokens)]
    fence[starts] = np.maximum(fence[starts], starts - 1)
    rank[where] = where - np.maximum.accumulate(fence)[where]
    ids = tokens.columns.get("id")
    if ids is None:
        return rank
    for index in where.tolist():
        number = ids[index].rpartition(".")[2]
        if number.isdecimal() and len(number) <= _MOST_DIGITS:
            rank[index] = int(number)
    return rank


def _places(tokens: Tokens, base: Longs, rank: Longs, gap: int) -> Longs:
    """Surface token *n* opens slot 2n + 1, of ``gap`` places; what follows it shares the slot.

    Empty nodes before the first token of a sentence (0.1) have a slot of their own, lest they
    meet those at the end of the sentence before.
    """
    empty = np.zeros(len(tokens), np.bool_) if tokens.empty is None else tokens.empty
    counts = np.diff(tokens.offsets)
    before = np.append(0, np.cumsum(~empty))
    number = before[:-1] + np.repeat(base[:-1] - before[tokens.offsets[:-1]], counts)
    starts = np.append(0, tokens.sentences)
    sentence = np.searchsorted(starts, np.arange(len(tokens)), side="right") - 1
    opening = empty & (before[:-1] == before[starts[sentence]])
    slot: Longs = 2 * number + np.where(opening, 0, np.where(empty, -1, 1))
    return slot * gap + rank
