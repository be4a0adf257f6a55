"""MIN matching: a response mention may be shorter than the key's, if it keeps its minimal span."""

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.arrays import ranges
from corefbench.corpus.combine import take_mentions
from corefbench.corpus.corpus import Corpus, Mentions, Parts
from corefbench.records import Floats, Longs
from corefbench.scoring.matching.alignment import Twins
from corefbench.scoring.matching.head import match_best
from corefbench.scoring.matching.steps import Side, Step, distinct_mentions, match_identical, match_in_steps
from corefbench.scoring.matching.word_sets import WordSets, identity_codes, overlaps, word_sets


def match(key: Corpus, response: Corpus) -> Twins:
    """Exact matches first; then, one-to-one, the response mentions that fit inside a key mention.

    A key mention *k* and a response mention *r*, as word sets, fit where MIN(k) ⊆ r ⊆ k; the fit is
    worth |r| / |k|, and the pairs of the largest sum are taken (Universal Anaphora scorer 2.0).
    A key mention without MIN has its whole span as MIN, so only an exact answer matches it; the MIN
    of the response is not looked at. Of equal sums the one of the earlier mentions is taken, in the
    order of (start, end, number of words).

    >>> from corefbench.corpus.builder import CorpusBuilder
    >>> def corpus(span, minimum=()):
    ...     build = CorpusBuilder("tiny")
    ...     build.begin_document("d")
    ...     build.sentence(["the", "old", "man", "there"])
    ...     _ = build.mention("e", [span], minimum=minimum)
    ...     return build.finish()
    >>> match(corpus((0, 4), [(2, 3)]), corpus((1, 3))).key.tolist()
    [0]
    >>> match(corpus((0, 4), [(2, 3)]), corpus((0, 2))).key.tolist()
    [-1]
    """
    left, right = distinct_sides(key, response)
    minimum = key.mentions.minimum
    if minimum is None:
        return match_in_steps(left, right, match_identical(left, right))
    fitting = _fitting(left, right, key, response, minimum)
    return match_in_steps(left, right, match_identical(left, right), fitting)


def distinct_sides(key: Corpus, response: Corpus) -> tuple[Side, Side]:
    """Return the distinct mentions of both sides, in text order."""
    words = word_sets(key, response)
    codes = identity_codes(*words)
    return distinct_mentions(words[0], codes[0]), distinct_mentions(words[1], codes[1])


def _fitting(left: Side, right: Side, key: Corpus, response: Corpus, minimum: Parts) -> Step:
    """Return the step that pairs what fits, for the largest sum in each document."""

    def candidates(free_key: Longs, free_response: Longs) -> tuple[Longs, Longs, Floats]:
        has_minimum = np.flatnonzero(np.diff(minimum.offsets)[left.mention[free_key]] > 0)
        mentions = left.mention[free_key[has_minimum]]
        inner, _ = word_sets(replace(key, mentions=_minima(key.mentions, mentions)), response)
        answers = right.mention[free_response]
        row, column, worth = _fits(left.words, mentions, inner, right.words, answers)
        return has_minimum[row], column, worth

    return match_best(left, right, candidates)


def _fits(
    outer: WordSets, mentions: Longs, inner: WordSets, answer: WordSets, answers: Longs
) -> tuple[Longs, Longs, Floats]:
    """Return the pairs that fit, as indices of ``mentions`` and ``answers``, and their worth.

    A response mention that fits starts between the start of the key mention and that of its MIN:
    in the sorted response this is one range, so only these are looked at.
    """
    starts = answer.first[answers]
    begin = np.searchsorted(starts, outer.first[mentions], "left")
    counts = np.maximum(np.searchsorted(starts, inner.first, "right") - begin, 0)
    row, column = np.repeat(np.arange(len(mentions)), counts), ranges(begin, counts)
    last = answer.last[answers[column]]
    near = (inner.last[row] <= last) & (last <= outer.last[mentions[row]])
    row, column = row[near], column[near]
    k, r = mentions[row], answers[column]
    fit = overlaps(outer, answer, k, r) == answer.size[r]
    fit &= overlaps(inner, answer, row, r) == inner.size[row]
    return row[fit], column[fit], answer.size[r[fit]] / outer.size[k[fit]]


def _minima(mentions: Mentions, numbers: Longs) -> Mentions:
    """Return the minimal spans of some mentions, as mentions."""
    chosen = take_mentions(mentions, numbers)
    parts = chosen.minimum
    if parts is None or not len(numbers):
        return chosen
    start, end = parts.start[parts.offsets[:-1]], parts.end[parts.offsets[1:] - 1]
    solid = len(parts.start) == len(numbers)
    return replace(chosen, start=start, end=end, parts=None if solid else parts, head=None)
