"""What the exercise counts, hits of key and response, or the four columns of a measure."""

import numpy as np
import pytest

from corefbench.campaign.domain.headline import are_scores


def test_hits_are_held_against_the_key_and_against_the_response():
    counts = {"hits": [3.0, 0.0], "key_total": [4.0, 2.0], "response_total": [6.0, 0.0]}
    scores = are_scores({name: np.array(column) for name, column in counts.items()})
    assert scores.recall.tolist() == [0.75, 0.0]
    assert scores.precision.tolist() == [0.5, 0.0]
    assert scores.f1.tolist() == pytest.approx([0.6, 0.0])


def test_links_have_hits_of_their_own_for_recall_and_precision():
    counts = {
        "recall_hits": [1.0],
        "recall_total": [4.0],
        "precision_hits": [3.0],
        "precision_total": [4.0],
    }
    scores = are_scores({name: np.array(column) for name, column in counts.items()})
    assert (scores.recall[0], scores.precision[0]) == (0.25, 0.75)
    assert scores.f1[0] == pytest.approx(0.375)
