"""Mention detection."""

import numpy as np

from corefbench.corpus.spans import count_distinct
from corefbench.scoring.matching.alignment import Alignment
from corefbench.scoring.measures.base import MeasureCard, MentionMeasure
from corefbench.scoring.measures.tally import Tally


class MentionDetection(MentionMeasure, frozen=True):
    """How many spans of the key were found, and how many found spans are in the key.

    R = Σ credit ÷ distinct key spans,  P = Σ credit ÷ distinct response spans

    A match is worth 1; SemEval-2010's partial matches are worth ½. Singletons count unless the
    profile strips them.
    """

    card = MeasureCard(
        name="mentions",
        title="Mentions",
        sentence="The share of the spans that both sides have.",
        cites=("recasens2010semeval",),
    )

    def tally(self, alignment: Alignment) -> Tally:
        hits = _credit(alignment)
        return Tally.of(
            recall_hits=hits,
            recall_total=count_distinct(alignment.key, alignment.key_identity()),
            precision_hits=hits,
            precision_total=count_distinct(alignment.response, alignment.response_identity()),
        )


def _credit(alignment: Alignment) -> np.ndarray:
    """The credit of each document; a key mention is found once, however often it is answered."""
    twins, documents = alignment.twins, len(alignment.key)
    if twins.credit is not None:
        where = alignment.response.mentions.document
        return np.bincount(where, twins.credit, minlength=documents)
    found = np.zeros(len(alignment.key.mentions), np.bool_)
    found[twins.key[twins.key >= 0]] = True
    return np.bincount(alignment.key.mentions.document[found], minlength=documents)
