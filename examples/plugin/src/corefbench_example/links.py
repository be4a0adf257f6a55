"""A measure for corefbench: the links between mentions that both sides have."""

from corefbench.scoring.measures.base import ChainMeasure, MeasureCard
from corefbench.scoring.measures.contingency import Contingency, pairs
from corefbench.scoring.measures.tally import Tally


class Links(ChainMeasure, frozen=True):
    """R = Σₖᵣ link(k∩r) ÷ Σₖ link(k),  link(n) = n (n − 1) / 2; 0/0 is 0."""

    card = MeasureCard(
        name="links", title="Links", sentence="The links between mentions that both sides have."
    )

    def tally(self, table: Contingency) -> Tally:
        """The links of every document."""
        shared = table.per_document(pairs(table.count))
        return Tally.of(
            recall_hits=shared,
            recall_total=table.per_key_document(pairs(table.key_size)),
            precision_hits=shared,
            precision_total=table.per_response_document(pairs(table.response_size)),
        )
