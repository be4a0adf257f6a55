"""B³: mentions and the chains they stand in."""

from typing import Literal

from corefbench.scoring.measures.base import ChainMeasure, MeasureCard
from corefbench.scoring.measures.contingency import Contingency
from corefbench.scoring.measures.tally import Tally


class BCubed(ChainMeasure, frozen=True):
    """B³: the mean, over mentions, of the overlap of their two chains.

    R = Σₖ Σᵣ |k∩r|² / |k|  ÷  Σₖ |k|        (Bagga & Baldwin 1998)

    P is the same with key and response exchanged. What a mention without a twin earns is where
    published versions differ:

    * ``twinless=zero``: nothing, as in the reference scorer since v6 (Pradhan et al. 2014);
    * ``twinless=credit``: 1 / |its own chain|, the B³all of Stoyanov et al. 2009;
    * ``twinless=skip``: nothing in recall; in precision it is deleted, the B³0 of the same paper.
    """

    card = MeasureCard(
        name="b_cubed",
        title="B³",
        sentence="The mean, over mentions, of how much of their chain is shared.",
        cites=("bagga1998", "stoyanov2009"),
    )
    twinless: Literal["zero", "credit", "skip"] = "zero"

    def tally(self, table: Contingency) -> Tally:
        shared = table.indexed * table.count
        recall = shared / table.key_size[table.key]
        response_size = table.response_size
        if self.twinless == "skip":
            response_size = response_size - table.response_twinless
        precision = shared / response_size[table.response]
        recall_hits = table.per_document(recall)
        precision_hits = table.per_document(precision)
        if self.twinless == "credit":
            recall_hits += table.per_key_document(table.key_twinless / table.key_size)
            precision_hits += table.per_response_document(table.response_twinless / response_size)
        return Tally.of(
            recall_hits=recall_hits,
            recall_total=table.key_mentions,
            precision_hits=precision_hits,
            precision_total=table.per_response_document(response_size),
        )
