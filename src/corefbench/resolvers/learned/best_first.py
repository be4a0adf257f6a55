"""From classified pairs to antecedents: the most confident positive pair of every mention."""

import numpy as np

from corefbench.record import Columns, Flags, Floats
from corefbench.resolvers.learned.pairs import Pairs


class Judgement(Columns, frozen=True, eq=False):
    """What a classifier says of every pair."""

    positive: Flags
    confidence: Floats
    """The share of votes for coreference."""
    distance: Floats
    """To the nearest instance in memory; 0 where a classifier knows no distance."""


def best_first(pairs: Pairs, judgement: Judgement, mentions: int) -> np.ndarray:
    """For every mention its antecedent, or -1.

    The highest confidence wins, then the smaller distance, then the nearer mention.
    """
    chosen = np.full(mentions, -1, np.int64)
    there = np.flatnonzero(judgement.positive)
    # Written in ascending order of preference, the last of each mention stays.
    order = np.lexsort(
        (pairs.antecedent[there], -judgement.distance[there], judgement.confidence[there])
    )
    chosen[pairs.mention[there][order]] = pairs.antecedent[there][order]
    return chosen
