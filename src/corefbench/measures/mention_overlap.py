"""MOR, the mention overlap ratio: how many words of mentions were found, whatever the chains."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from corefbench.matching.assignment import assign
from corefbench.matching.identity import identities
from corefbench.matching.words import WordSets, overlaps, word_sets
from corefbench.measures.base import MeasureCard, MentionMeasure
from corefbench.measures.tally import Tally
from corefbench.model.assemble import ranges
from corefbench.record import Flags, Longs

if TYPE_CHECKING:
    from corefbench.matching.alignment import Alignment


class MentionOverlap(MentionMeasure, frozen=True):
    """The overlap in words of key and response mentions, paired one-to-one for the greatest sum.

    R = Σ |k ∩ r| / Σ |k|     P = Σ |k ∩ r| / Σ |r|        (Žabokrtský et al. 2022)

    The pairing is the measure's own: twins, and so the matching rule, play no part. Words are
    compared by position, empty nodes too.
    """

    card: ClassVar[MeasureCard] = MeasureCard(
        name="mor",
        title="MOR",
        sentence="Overlap in words of key and response mentions, paired one-to-one.",
        cites=("zabokrtsky2022",),
    )

    def tally(self, alignment: "Alignment") -> Tally:
        documents = len(alignment.key)
        key, response = word_sets(alignment.key, alignment.response)
        k, r = _pairing(key, response)
        hits = _sum(key, k, overlaps(key, response, k, r), documents)
        return Tally.of(
            recall_hits=hits,
            recall_total=_sum(key, np.arange(len(key)), key.size, documents),
            precision_hits=hits,
            precision_total=_sum(response, np.arange(len(response)), response.size, documents),
        )


def _sum(words: WordSets, mentions: Longs, values: Longs, documents: int) -> np.ndarray:
    return np.bincount(words.document[mentions], values, minlength=documents)


def _pairing(key: WordSets, response: WordSets) -> tuple[Longs, Longs]:
    """A pairing of greatest overlap.

    Some best pairing holds all pairs of identical mentions: for k = r = x, paired otherwise,
    |x ∩ r′| + |k′ ∩ x| ≤ |x| + |k′ ∩ r′|. So they are paired first, and few are left.
    """
    same_key, same_response = _identical(*identities(key, response))
    k, r = _overlapping(key, response, _others(key, same_key), _others(response, same_response))
    best_key, best_response = assign(k, r, overlaps(key, response, k, r).astype(np.float64))
    return np.append(same_key, best_key), np.append(same_response, best_response)


def _identical(key: Longs, response: Longs) -> tuple[Longs, Longs]:
    """Pairs of identical mentions; the n-th of repeated ones with the n-th on the other side."""
    codes = np.unique(np.concatenate((key, response)), return_inverse=True)[1]
    left = _nth(codes[: len(key)], len(codes))
    right = _nth(codes[len(key) :], len(codes))
    _, k, r = np.intersect1d(left, right, True, return_indices=True)
    return k, r


def _nth(codes: Longs, width: int) -> Longs:
    """Numbers that differ for repeated codes too: the code, and how often it stood before."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    before = np.empty(len(codes), np.int64)
    before[order] = np.arange(len(codes)) - np.searchsorted(ordered, ordered)
    return before * width + codes


def _others(words: WordSets, taken: Longs) -> Longs:
    free: Flags = np.ones(len(words), np.bool_)
    free[taken] = False
    return np.flatnonzero(free)


def _overlapping(key: WordSets, response: WordSets, k: Longs, r: Longs) -> tuple[Longs, Longs]:
    """The pairs among mentions ``k`` and ``r`` whose hulls overlap, found by their first words."""
    k, r = k[np.argsort(key.first[k])], r[np.argsort(response.first[r])]
    # Either k begins within r, or r begins within k, behind its first word.
    low = np.searchsorted(key.first[k], response.first[r], side="left")
    count = np.searchsorted(key.first[k], response.last[r], side="right") - low
    one = k[ranges(low, count)], np.repeat(r, count)
    low = np.searchsorted(response.first[r], key.first[k], side="right")
    count = np.searchsorted(response.first[r], key.last[k], side="right") - low
    two = np.repeat(k, count), r[ranges(low, count)]
    return np.append(one[0], two[0]), np.append(one[1], two[1])
