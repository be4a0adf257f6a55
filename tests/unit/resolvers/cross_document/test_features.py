"""Features of pairs, worked out by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from corefbench.resolvers.cross_document import features
from corefbench.resolvers.cross_document.context import background_words, build_context
from corefbench.resolvers.cross_document.mentions import MentionTable, gold_mentions
from corefbench.resolvers.cross_document.vectors import InverseDocumentFrequency
from tests.unit.resolvers.cross_document.corpora import Hashed, stories, words


def mentions_of(documents):
    return SimpleNamespace(document=np.array(documents))


def test_documents_near_both_are_a_share_of_those_near_either(monkeypatch):
    monkeypatch.setattr(features, "_SHARED_DOCUMENTS", 1)
    near = np.array([[0, 1, 2, 3], [1, 0, 2, 3], [3, 1, 0, 2], [3, 2, 1, 0]])
    context = SimpleNamespace(document_ranks=near, mentions=mentions_of([0, 1, 2, 3]))
    found = features._shared_nearest_documents(context, np.array([0, 0, 0]), np.array([1, 2, 3]))
    # Near to 0 and to 1 are {0, 1}, to 2 {1, 2}, to 3 {2, 3}.
    np.testing.assert_allclose(found, [1, 1 / 3, 0])


def test_likeness_of_documents_is_measured_by_that_of_their_nearest(monkeypatch):
    alike = np.array([[1, 0.8, 0.2], [0.8, 1, 0.4], [0.2, 0.4, 1]], np.float32)
    monkeypatch.setattr(features, "_SCALE_DOCUMENTS", 1)
    context = SimpleNamespace(mentions=mentions_of([0, 1, 2]), document_similarity=alike.copy)
    found = features._relative_similarity(context, np.array([0, 0, 0]), np.array([1, 2, 0]))
    np.testing.assert_allclose(found, [1, 0.2 / (0.8 * 0.4) ** 0.5, np.nan], rtol=1e-5)


@pytest.fixture
def context(tmp_path):
    corpus = stories(2)
    some = words(corpus)
    table = gold_mentions(corpus, some, "event")
    background = background_words(corpus)
    return build_context(
        corpus, some, table, InverseDocumentFrequency.fit([["a"]]), Hashed(folder=tmp_path), background
    )


def test_every_feature_is_the_same_both_ways_round(context):
    left, right = np.triu_indices(len(context.mentions), 1)
    seen = features.pair_features(context, left, right)
    assert seen.shape == (len(left), len(features.feature_names(context)))
    np.testing.assert_allclose(seen, features.pair_features(context, right, left), rtol=1e-5)


def test_like_arguments_mean_the_same(context):
    view = context.view("arguments: meaning")
    # "The quake struck Aceh on Monday" in two documents, but for the day; then the tremor.
    same, different = view.similarity(np.array([0, 0]), np.array([2, 1]))
    assert same > different


# Neighbourhood features

LEFT, RIGHT = np.array([0, 0, 0, 1, 1, 2]), np.array([1, 2, 3, 2, 3, 3])
PROBABILITY = np.array([0.8, 0.4, 0.2, 0.6, 0.1, 0.1], np.float32)


def neighbourhood(document=(0, 1, 1, 2), left=LEFT, right=RIGHT, probability=PROBABILITY):
    own = np.arange(len(document))
    table = MentionTable(document=np.array(document), sentence=own, start=own, end=own + 1, head=own, chain=own)
    matrix = features.neighbourhood_features(SimpleNamespace(mentions=table), left, right, probability)
    return {name: matrix[:, number] for number, name in enumerate(features.NEIGHBOURHOOD_FEATURES)}


def test_probabilities_are_relative_to_the_best_of_both_mentions():
    found = neighbourhood()
    # The best of 0 and 1 is .8, of 2 is .6.
    np.testing.assert_allclose(found["minimum share of the best"][:2], [1, 0.4 / 0.8])
    np.testing.assert_allclose(found["maximum share of the best"][:2], [1, 0.4 / 0.6], rtol=1e-6)
    np.testing.assert_allclose(found["minimum rank"][:2], np.log1p([0, 1]))
    np.testing.assert_allclose(found["minimum expected partners"][:2], [1.4, 1.1], rtol=1e-6)


def test_merge_similarity_is_that_of_average_linkage():
    # 0 and 1 at .8; with 2 at (.4 + .6) / 2; with 3 at (.2 + .1 + .1) / 3.
    np.testing.assert_allclose(
        neighbourhood()["merge similarity"], [0.8, 0.5, 0.4 / 3, 0.5, 0.4 / 3, 0.4 / 3], rtol=1e-5
    )


def test_document_overlap_is_the_mean_of_best_partners():
    found = neighbourhood()
    # 0 finds .8 in document 1; 1 and 2 find .8 and .4 in document 0.
    assert found["document overlap"][0] == pytest.approx((0.8 + 0.6) / 2)
    # Without 0 and 1 there is only 2, which finds .4.
    assert found["document overlap without the pair"][0] == pytest.approx(0.4)
    assert np.isnan(found["document overlap without the pair"][2])
    assert found["document overlap without the pair"][3] == 1.0


def test_rival_is_the_best_other_mention_of_the_partners_document():
    found = neighbourhood()
    # For (0, 2), 0 would rather have 1: .8 − .4; 2 finds nothing else in document 0.
    assert found["maximum rival"][1] == pytest.approx(0.4)
    assert found["minimum rival"][1] == pytest.approx(-0.4)


def test_components_are_independent():
    alone = neighbourhood(left=LEFT[:1], right=RIGHT[:1], probability=PROBABILITY[:1])
    both = neighbourhood(left=np.array([0, 2]), right=np.array([1, 3]), probability=np.array([0.8, 0.1], "f4"))
    for name in features.NEIGHBOURHOOD_FEATURES:
        np.testing.assert_allclose(alone[name][0], both[name][0])
