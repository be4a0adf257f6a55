"""CEAF: the best one-to-one pairing of the chains."""

from typing import ClassVar

import numpy as np

from corefbench.records import Floats
from corefbench.scoring.measures.base import ChainMeasure, MeasureCard
from corefbench.scoring.measures.best_pairing import best_pairing
from corefbench.scoring.measures.contingency import Contingency
from corefbench.scoring.measures.tally import Tally


class _CEAF(ChainMeasure, frozen=True):
    """Φ, the largest sum of φ(k, r) over one-to-one pairings of key and response chains."""

    card: ClassVar[MeasureCard]

    def similarity(self, table: Contingency) -> Floats:
        raise NotImplementedError

    def self_similarity(self, size: np.ndarray) -> Floats:
        raise NotImplementedError

    def tally(self, table: Contingency) -> Tally:
        best = best_pairing(table, self.similarity(table))
        return Tally.of(
            recall_hits=best,
            recall_total=table.per_key_document(self.self_similarity(table.key_size)),
            precision_hits=best,
            precision_total=table.per_response_document(self.self_similarity(table.response_size)),
        )


class CEAFm(_CEAF, frozen=True):
    """CEAFm: the mentions shared under the best one-to-one pairing of the chains.

    φ₃(k, r) = |k∩r|,  R = Φ ÷ Σₖ |k|,  P = Φ ÷ Σᵣ |r|        (Luo 2005)
    """

    card = MeasureCard(
        name="ceaf_m",
        title="CEAFm",
        sentence="The mentions shared under the best one-to-one pairing of the chains.",
        cites=("luo2005",),
    )

    def similarity(self, table: Contingency) -> Floats:
        return table.key_count.astype(np.float64)

    def self_similarity(self, size: np.ndarray) -> Floats:
        return size.astype(np.float64)


class CEAFe(_CEAF, frozen=True):
    """CEAFe: how alike the chains are under their best one-to-one pairing.

    φ₄(k, r) = 2 |k∩r| / (|k| + |r|),  R = Φ ÷ number of key chains,  P = Φ ÷ response chains
    (Luo 2005)
    """

    card = MeasureCard(
        name="ceaf_e",
        title="CEAFe",
        sentence="The likeness of the chains under their best one-to-one pairing.",
        cites=("luo2005",),
    )

    def similarity(self, table: Contingency) -> Floats:
        sizes = table.key_size[table.key] + table.response_size[table.response]
        return np.asarray(2 * table.key_count / sizes)

    def self_similarity(self, size: np.ndarray) -> Floats:
        return np.ones(len(size))
