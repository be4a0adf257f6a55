"""CRAFT matching: the first part of a key mention is enough, as in the CRAFT-2019 shared task."""

import numpy as np

from corefbench.corpus.arrays import ranges
from corefbench.corpus.corpus import Corpus
from corefbench.records import Flags, Longs
from corefbench.scoring.matching.alignment import Twins
from corefbench.scoring.matching.minimum import distinct_sides
from corefbench.scoring.matching.steps import Side, Step, match_identical, match_in_steps
from corefbench.scoring.matching.word_sets import WordSets


def match(key: Corpus, response: Corpus) -> Twins:
    """Exact matches first; then a response mention with a part inside the first part of a key's.

    In text order (start, end, number of words), each response mention left over looks for the first
    key mention left over whose first contiguous part holds one of its parts. That one is decisive:
    where an earlier response mention has it already, there is no match. Zeros match exactly or not
    at all. (Universal Anaphora scorer 2.0, after CRAFT 2019.)

    >>> from corefbench.corpus.builder import CorpusBuilder
    >>> def corpus(*spans):
    ...     build = CorpusBuilder("tiny")
    ...     build.begin_document("d")
    ...     build.sentence(["red", "and", "white", "blood", "cells"])
    ...     _ = [build.mention(str(n), parts) for n, parts in enumerate(spans)]
    ...     return build.finish()
    >>> match(corpus([(0, 1), (3, 5)]), corpus([(0, 1)], [(3, 5)])).key.tolist()
    [0, -1]
    """
    left, right = distinct_sides(key, response)
    overt = _overt(key)[left.mention], _overt(response)[right.mention]
    return match_in_steps(left, right, match_identical(left, right), _match_containing(left, right, *overt))


def _overt(corpus: Corpus) -> Flags:
    """Mark the mentions that do not begin with an empty node."""
    mentions, empty = corpus.mentions, corpus.tokens.empty
    if empty is None:
        return np.ones(len(mentions), np.bool_)
    return np.asarray(~empty[corpus.tokens.offsets[mentions.document] + mentions.start])


def _match_containing(left: Side, right: Side, overt_key: Flags, overt_response: Flags) -> Step:
    """Return the step that gives each key mention to the first response mention that wants it."""

    def step(free_key: Longs, free_response: Longs) -> tuple[Longs, Longs]:
        keys, answers = free_key[overt_key[free_key]], free_response[overt_response[free_response]]
        wanted = _first_containing(left.words, left.mention[keys], right.words, right.mention[answers])
        asking = np.flatnonzero(wanted < len(keys))
        given, first = np.unique(wanted[asking], return_index=True)
        return keys[given], answers[asking[first]]

    return step


def _first_containing(key: WordSets, keys: Longs, response: WordSets, answers: Longs) -> Longs:
    """Return for each response mention the index of the first key mention that holds a part.

    Among the keys sorted by start, the first whose first part ends at or past *e* is where the
    running maximum of the ends first reaches *e*; it holds [s, e] if it starts at or before *s*.
    """
    start, end, _ = _parts(key, keys, first=True)
    part_start, part_end, offsets = _parts(response, answers, first=False)
    place = np.searchsorted(np.maximum.accumulate(end), part_end, "left")
    holds = place < np.searchsorted(start, part_start, "right")
    return np.asarray(np.minimum.reduceat(np.where(holds, place, len(keys)), offsets))


def _parts(words: WordSets, chosen: Longs, *, first: bool) -> tuple[Longs, Longs, Longs]:
    """Return the first and last words of the first or of all parts, and the mentions' offsets."""
    if words.runs is None:
        return words.first[chosen], words.last[chosen], np.arange(len(chosen))
    counts = np.diff(words.runs)[chosen]
    if first:
        counts = np.minimum(counts, 1)
    runs = ranges(words.runs[chosen], counts)
    start, end = words.start[runs], words.end[runs] - 1
    if words.position is not None:
        start, end = words.position[start], words.position[end]
    return start, end, np.cumsum(counts) - counts
