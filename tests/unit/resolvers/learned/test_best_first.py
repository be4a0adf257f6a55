"""Which of several positive pairs a mention keeps."""

import numpy as np

from corefbench.resolvers.learned.best_first import Judgement, best_first
from corefbench.resolvers.learned.pairs import Pairs


def chosen(*rows, mentions=4):
    """Rows: antecedent, mention, positive, confidence, distance."""
    antecedent, mention, positive, confidence, distance = zip(*rows, strict=True)
    pairs = Pairs(
        antecedent=np.array(antecedent, np.int32),
        mention=np.array(mention, np.int32),
        codes=np.zeros((len(rows), 14), np.int32),
    )
    judgement = Judgement(
        positive=np.array(positive, bool),
        confidence=np.array(confidence, float),
        distance=np.array(distance, float),
    )
    return best_first(pairs, judgement, mentions).tolist()


def test_the_most_confident_pair_wins():
    assert chosen((0, 3, True, 0.9, 0.5), (1, 3, True, 0.6, 0.0), (2, 3, True, 0.7, 0.0)) == [
        -1, -1, -1, 0,
    ]  # fmt: skip


def test_of_equally_confident_pairs_the_one_nearer_to_memory_wins():
    assert chosen((0, 3, True, 0.8, 0.1), (1, 3, True, 0.8, 0.3))[3] == 0


def test_if_all_else_is_equal_the_nearest_mention_wins():
    assert chosen((0, 3, True, 0.8, 0.1), (2, 3, True, 0.8, 0.1), (1, 3, True, 0.8, 0.1))[3] == 2


def test_negative_pairs_are_never_chosen():
    assert chosen((0, 1, False, 0.4, 0.0), (0, 2, True, 0.6, 0.0)) == [-1, -1, 0, -1]
