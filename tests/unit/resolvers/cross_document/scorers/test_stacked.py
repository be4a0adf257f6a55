"""Neighbourhood features, calculated by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from corefbench.resolvers.cross_document.mentions import MentionTable
from corefbench.resolvers.cross_document.scorers.stacked import NEIGHBOURHOOD_FEATURES, neighbourhood_features

LEFT, RIGHT = np.array([0, 0, 0, 1, 1, 2]), np.array([1, 2, 3, 2, 3, 3])
PROBABILITY = np.array([0.8, 0.4, 0.2, 0.6, 0.1, 0.1], np.float32)


def features(document=(0, 1, 1, 2), left=LEFT, right=RIGHT, probability=PROBABILITY):
    own = np.arange(len(document))
    table = MentionTable(document=np.array(document), sentence=own, start=own, end=own + 1, head=own, chain=own)
    matrix = neighbourhood_features(SimpleNamespace(mentions=table), left, right, probability)
    return {name: matrix[:, number] for number, name in enumerate(NEIGHBOURHOOD_FEATURES)}


def test_probabilities_are_relative_to_the_best_of_both_mentions():
    found = features()
    # The best of 0 and 1 is .8, of 2 is .6.
    np.testing.assert_allclose(found["minimum share of the best"][:2], [1, 0.4 / 0.8])
    np.testing.assert_allclose(found["maximum share of the best"][:2], [1, 0.4 / 0.6], rtol=1e-6)
    np.testing.assert_allclose(found["minimum rank"][:2], np.log1p([0, 1]))
    np.testing.assert_allclose(found["minimum expected partners"][:2], [1.4, 1.1], rtol=1e-6)


def test_merge_similarity_is_that_of_average_linkage():
    # 0 and 1 at .8; with 2 at (.4 + .6) / 2; with 3 at (.2 + .1 + .1) / 3.
    np.testing.assert_allclose(features()["merge similarity"], [0.8, 0.5, 0.4 / 3, 0.5, 0.4 / 3, 0.4 / 3], rtol=1e-5)


def test_document_overlap_is_the_mean_of_best_partners():
    found = features()
    # 0 finds .8 in document 1; 1 and 2 find .8 and .4 in document 0.
    assert found["document overlap"][0] == pytest.approx((0.8 + 0.6) / 2)
    # Without 0 and 1 there is only 2, which finds .4.
    assert found["document overlap without the pair"][0] == pytest.approx(0.4)
    assert np.isnan(found["document overlap without the pair"][2])
    assert found["document overlap without the pair"][3] == 1.0


def test_rival_is_the_best_other_mention_of_the_partners_document():
    found = features()
    # For (0, 2), 0 would rather have 1: .8 − .4; 2 finds nothing else in document 0.
    assert found["maximum rival"][1] == pytest.approx(0.4)
    assert found["minimum rival"][1] == pytest.approx(-0.4)


def test_components_are_independent():
    alone = features(left=LEFT[:1], right=RIGHT[:1], probability=PROBABILITY[:1])
    both = features(left=np.array([0, 2]), right=np.array([1, 3]), probability=np.array([0.8, 0.1], "f4"))
    for name in NEIGHBOURHOOD_FEATURES:
        np.testing.assert_allclose(alone[name][0], both[name][0])
