"""MUC: links."""

import numpy as np

from corefbench.scoring.measures.base import ChainMeasure, MeasureCard
from corefbench.scoring.measures.contingency import Contingency
from corefbench.scoring.measures.tally import Tally


class MUC(ChainMeasure, frozen=True):
    """MUC: how many of the links that make the chains are kept.

    R = Σₖ (|k| − parts(k)) ÷ Σₖ (|k| − 1) = Σₖᵣ (|k∩r| − 1) ÷ Σₖ (|k| − 1)     (Vilain et al. 1995)

    P is the same with key and response exchanged. Singletons have no links and count for nothing;
    where there are no links at all the score is 0, following Pradhan et al. 2014.
    """

    card = MeasureCard(
        name="muc",
        title="MUC",
        sentence="The share of the links between mentions that both sides need.",
        cites=("vilain1995",),
    )

    def tally(self, table: Contingency) -> Tally:
        kept = table.per_document(np.maximum(table.indexed - 1, 0))
        return Tally.of(
            recall_hits=kept,
            recall_total=table.per_key_document(table.key_size - 1),
            precision_hits=kept,
            precision_total=table.per_response_document(table.response_size - 1),
        )
