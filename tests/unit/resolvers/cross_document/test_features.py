"""Features of pairs, worked out by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from corefbench.resolvers.cross_document import features
from corefbench.resolvers.cross_document.context import background_words, build_context
from corefbench.resolvers.cross_document.mentions import gold_mentions
from corefbench.resolvers.cross_document.tfidf import InverseDocumentFrequency
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
