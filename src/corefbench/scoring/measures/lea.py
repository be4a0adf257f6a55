"""LEA: links, weighed by the chains they make."""

import numpy as np

from corefbench.scoring.measures.base import ChainMeasure, MeasureCard
from corefbench.scoring.measures.contingency import Contingency, pairs
from corefbench.scoring.measures.tally import Tally


class LEA(ChainMeasure, frozen=True):
    """LEA: how much of each chain is resolved, chains weighed by their size.

    R = Σₖ |k| · Σᵣ link(k∩r) / link(k)  ÷  Σₖ |k|,   link(n) = n (n − 1) / 2
    (Moosavi & Strube 2016)

    A singleton has one link, to itself: it is resolved where its mention is a singleton on the
    other side too, as in the authors' scorer. A repeated mention belongs to the last chain that
    the other side has it in, also as there: counted for all of them, R and P would exceed 1.
    """

    card = MeasureCard(
        name="lea",
        title="LEA",
        sentence="The share of each chain's links that is resolved, weighed by chain size.",
        cites=("moosavi2016",),
    )

    def tally(self, table: Contingency) -> Tally:
        key_size, response_size = table.key_size[table.key], table.response_size[table.response]
        alone = (key_size == 1) & (response_size == 1)
        return Tally.of(
            recall_hits=table.per_document(_resolved(table.key_indexed, key_size, alone)),
            recall_total=table.key_mentions,
            precision_hits=table.per_document(_resolved(table.indexed, response_size, alone)),
            precision_total=table.response_mentions,
        )


def _resolved(shared: np.ndarray, size: np.ndarray, alone: np.ndarray) -> np.ndarray:
    """|c| · link(shared) / link(c), with one link for a singleton."""
    links = np.where(alone & (shared > 0), 1, pairs(shared))
    return np.asarray(size * links / np.maximum(pairs(size), 1))
