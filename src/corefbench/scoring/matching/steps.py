"""Matching in steps: each step pairs mentions that earlier steps left unmatched."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from corefbench.records import Columns, Ints, Longs
from corefbench.scoring.matching.alignment import Twins
from corefbench.scoring.matching.word_sets import WordSets, last_same

Step: TypeAlias = Callable[[Longs, Longs], tuple[Longs, Longs]]
"""Takes the unmatched entries of both sides, in text order; returns those that it pairs."""


class Side(Columns, frozen=True, eq=False):
    """The distinct mentions of a corpus in text order: by first word, last word, number of words.

    The CorefUD scorer fills its matrices in this order, which decides ties.
    """

    words: WordSets
    mention: Longs
    """For each entry its mention, the last of repeated ones."""
    code: Longs
    """For each entry the number of its identity."""
    entry: Longs
    """For each mention of the corpus its entry."""

    @property
    def document(self) -> Ints:
        return self.words.document[self.mention]


def distinct_mentions(words: WordSets, codes: Longs) -> Side:
    """Return the distinct mentions, by their ``codes``."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    last = np.append(ordered[1:] != ordered[:-1], True)[: len(ordered)]
    mention = order[last]
    text = np.lexsort((mention, words.size[mention], words.last[mention], words.first[mention]))
    rank = np.empty(len(text), np.int64)
    rank[text] = np.arange(len(text))
    entry = np.empty(len(order), np.int64)
    entry[order] = rank[np.cumsum(last) - last]
    return Side(words=words, mention=mention[text], code=codes[mention[text]], entry=entry)


def match_in_steps(key: Side, response: Side, *steps: Step) -> Twins:
    """Return the twins that the steps find, one after another."""
    taken = np.zeros(len(key.mention), np.bool_)
    twin = np.full(len(response.mention), -1, np.int64)
    for step in steps:
        k, r = step(np.flatnonzero(~taken), np.flatnonzero(twin < 0))
        twin[r], taken[k] = k, True
    mention = np.append(key.mention, -1)[twin]
    return Twins(key=mention[response.entry].astype(np.int32))


def match_identical(key: Side, response: Side) -> Step:
    """Return the step that pairs identical mentions."""

    def step(free_key: Longs, free_response: Longs) -> tuple[Longs, Longs]:
        same = last_same(key.code[free_key], response.code[free_response])
        matched = np.flatnonzero(same >= 0)
        return free_key[same[matched]], free_response[matched]

    return step


def join(left: Longs, right: Longs) -> tuple[Longs, Longs]:
    """Return all pairs of indices at which ``left`` and ``right`` have the same value.

    >>> [pairs.tolist() for pairs in join(np.array([5, 6]), np.array([6, 5, 6]))]
    [[0, 1, 1], [1, 0, 2]]
    """
    from corefbench.corpus.arrays import ranges

    order = np.argsort(right, kind="stable")
    ordered = right[order]
    low = np.searchsorted(ordered, left, side="left")
    count = np.searchsorted(ordered, left, side="right") - low
    return np.repeat(np.arange(len(left)), count), order[ranges(low, count)]
