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
    other side too, as in the authors' scorer.
    """

    card = MeasureCard(
        name="lea",
        title="LEA",
        sentence="The share of each chain's links that is resolved, weighed by chain size.",
        cites=("moosavi2016",),
    )

    def tally(self, table: Contingency) -> Tally:
        key_size, response_size = table.key_size[table.key], table.response_size[table.response]
        alone = (key_size == 1) & (response_size == 1) & (table.count > 0)
        links = np.where(alone, 1, pairs(table.count))
        return Tally.of(
            recall_hits=table.per_document(_resolved(links, key_size)),
            recall_total=table.key_mentions,
            precision_hits=table.per_document(_resolved(links, response_size)),
            precision_total=table.response_mentions,
        )


def _resolved(links: np.ndarray, size: np.ndarray) -> np.ndarray:
    """|c| · link(shared) / link(c), with one link for a singleton."""
    return np.asarray(size * links / np.maximum(pairs(size), 1))
