"""MOR, the mention overlap ratio: how many words of mentions were found, whatever the chains."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from corefbench.corpus.arrays import ranges
from corefbench.records import Flags, Longs
from corefbench.scoring.matching.word_sets import WordSets, identity_codes, overlaps, word_sets
from corefbench.scoring.measures.base import MeasureCard, MentionMeasure
from corefbench.scoring.measures.best_pairing import best_pairing
from corefbench.scoring.measures.contingency import Contingency
from corefbench.scoring.measures.tally import Tally

if TYPE_CHECKING:
    from corefbench.scoring.matching.alignment import Alignment


class MentionOverlap(MentionMeasure, frozen=True):
    """The overlap in words of key and response mentions, paired one-to-one for the greatest sum.

    R = Σ |k ∩ r| / Σ |k|     P = Σ |k ∩ r| / Σ |r|        (Žabokrtský et al. 2022)

    It is CEAF with mentions for chains and words for mentions. The pairing is the measure's own:
    twins, and so the matching rule, play no part. Words are compared by position, empty nodes too.
    """

    card: ClassVar[MeasureCard] = MeasureCard(
        name="mor",
        title="MOR",
        sentence="Overlap in words of key and response mentions, paired one-to-one.",
        cites=("zabokrtsky2022",),
    )

    def tally(self, alignment: "Alignment") -> Tally:
        key, response = word_sets(alignment.key, alignment.response)
        same_key, same_response = _identical(*identity_codes(key, response))
        k, r = _overlapping(key, response, _others(key, same_key), _others(response, same_response))
        table = _word_table(key, response, k, r, len(alignment.key))
        hits = best_pairing(table, table.count.astype(np.float64))
        hits += np.bincount(key.document[same_key], key.size[same_key], minlength=len(hits))
        return Tally.of(
            recall_hits=hits,
            recall_total=table.key_mentions,
            precision_hits=hits,
            precision_total=table.response_mentions,
        )


def _word_table(key: WordSets, response: WordSets, k: Longs, r: Longs, documents: int) -> Contingency:
    """The words that mentions share, for the pairs ``k[i]``, ``r[i]``."""
    shared = overlaps(key, response, k, r)
    meet = shared > 0
    count = shared[meet]
    return Contingency(
        documents=documents,
        key_size=key.size,
        key_document=key.document,
        key_twinless=np.zeros_like(key.size),
        response_size=response.size,
        response_document=response.document,
        response_twinless=np.zeros_like(response.size),
        key=k[meet],
        response=r[meet],
        count=count,
        indexed=count,
        key_count=count,
        key_indexed=count,
    )


def _identical(key: Longs, response: Longs) -> tuple[Longs, Longs]:
    """Pairs of identical mentions; the n-th of repeated ones with the n-th on the other side.

    Some best pairing holds them all, for if x = k = r is paired otherwise, with r′ and k′, then
    |x ∩ r′| + |k′ ∩ x| ≤ |x| + |k′ ∩ r′|. So they are paired first, and few mentions are left.
    """
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
