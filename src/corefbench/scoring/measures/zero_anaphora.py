"""The anaphor-decomposable score of zeros: does a zero find an antecedent of its chain?"""

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from corefbench.records import Flags, Ints, Longs
from corefbench.scoring.matching.word_sets import WordSets, heads, identity_codes, last_same, with_heads, word_sets
from corefbench.scoring.matching.zeros import is_zero
from corefbench.scoring.measures.base import MeasureCard, MentionMeasure
from corefbench.scoring.measures.tally import Tally

if TYPE_CHECKING:
    from corefbench.scoring.matching.alignment import Alignment


_COLUMNS = ("recall_hits", "recall_total", "precision_hits", "precision_total")


class ZeroAnaphora(MentionMeasure, frozen=True):
    """Of the zeros that are anaphors (not the first of their chain), how many are linked correctly.

    R = TP / (TP + FN + WL)     P = TP / (TP + FP + WL)        (Žabokrtský et al. 2022)

    A key zero is missed (FN) where it has no counterpart or this is the first of its chain; it is
    right (TP) where its counterpart's chain holds the counterpart of an earlier mention of the key
    chain, else a wrong link (WL). A response zero that is an anaphor and the counterpart of no such
    key zero is spurious (FP). As in the CorefUD scorer, the counterpart is the response mention of
    the same words and head if there is one, else the twin. Where that program does not match by
    head it compares words alone: ``counterpart=words``. ``counterpart=twin`` trusts the matching.
    """

    counterpart: Literal["head", "words", "twin"] = "head"

    card: ClassVar[MeasureCard] = MeasureCard(
        name="zero",
        title="Zero anaphora",
        sentence="Zeros that are linked to an antecedent of their chain.",
        cites=("zabokrtsky2022",),
    )

    def tally(self, alignment: "Alignment") -> Tally:
        key, response = alignment.key, alignment.response
        if key.tokens.empty is None and response.tokens.empty is None:
            return Tally.of(**dict.fromkeys(_COLUMNS, np.zeros(len(key))))
        words = word_sets(key, response)
        codes = identity_codes(*words)
        if self.counterpart != "words":
            codes = with_heads(codes, heads(key, words[0]), heads(response, words[1]))
        counterpart = self._counterparts(alignment, codes)
        opening = np.isin(codes[1], codes[1][_begins(words[1], response.mentions.chain)])
        asked = is_zero(key) & ~_begins(words[0], key.mentions.chain)
        linked = asked & (counterpart >= 0)
        covered = np.isin(codes[1], codes[1][counterpart[linked]])
        linked[linked] = ~opening[counterpart[linked]]
        right = linked & _has_antecedent(alignment, words[0], counterpart)
        spurious = is_zero(response) & ~opening & ~covered
        hits, total, links = (_count(words[0], f, len(key)) for f in (right, asked, linked))
        responses = links + _count(words[1], spurious, len(key))
        return Tally.of(**dict(zip(_COLUMNS, (hits, total, hits, responses), strict=True)))

    def _counterparts(self, alignment: "Alignment", codes: tuple[Longs, Longs]) -> Ints:
        """For each key mention its response mention, or -1; repeated mentions have the same one."""
        chain = alignment.response.mentions.chain
        twin = alignment.response_of_key()
        twin = np.where(twin >= 0, twin, twin[last_same(codes[0], codes[0])])
        last = np.append(last_same(codes[1], codes[1], chain), np.int32(-1))
        if self.counterpart == "twin":
            return last[twin]
        same = last_same(codes[1], codes[0], chain)
        return np.where(same >= 0, same, last[twin])


def _count(words: WordSets, which: Flags, documents: int) -> np.ndarray:
    return np.bincount(words.document[which], minlength=documents)


def _text_order(words: WordSets) -> Longs:
    return np.lexsort((words.size, words.last, words.first))


def _begins(words: WordSets, chain: Ints) -> Flags:
    """Which mentions are the first of their chain."""
    order = _text_order(words)
    _, first = np.unique(chain[order], return_index=True)
    begins = np.zeros(len(words), np.bool_)
    begins[order[first]] = True
    return begins


def _has_antecedent(alignment: "Alignment", words: WordSets, counterpart: Ints) -> Flags:
    """For which key mentions an earlier one of the chain has its counterpart in the same chain."""
    order = _text_order(words)
    order = order[counterpart[order] >= 0]
    pair = alignment.key.mentions.chain[order] * np.int64(len(alignment.response.chains))
    pair += alignment.response.mentions.chain[counterpart[order]]
    later = np.ones(len(order), np.bool_)
    later[np.unique(pair, return_index=True)[1]] = False
    answer = np.zeros(len(words), np.bool_)
    answer[order[later]] = True
    return answer
