"""Features of pairs, worked out by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from corefbench.resolvers.across import features
from corefbench.resolvers.across.bags import Rarity
from corefbench.resolvers.across.context import background_words, build_context
from corefbench.resolvers.across.table import gold
from tests.unit.resolvers.across.corpora import Hashed, stories, words


def mentions_of(documents):
    return SimpleNamespace(document=np.array(documents))


def test_documents_near_both_are_a_share_of_those_near_either(monkeypatch):
    monkeypatch.setattr(features, "_NEAR", 1)
    near = np.array([[0, 1, 2, 3], [1, 0, 2, 3], [3, 1, 0, 2], [3, 2, 1, 0]])
    context = SimpleNamespace(near=near, table=mentions_of([0, 1, 2, 3]))
    found = features._shared(context, np.array([0, 0, 0]), np.array([1, 2, 3]))
    # Near to 0 and to 1 are {0, 1}, to 2 {1, 2}, to 3 {2, 3}.
    np.testing.assert_allclose(found, [1, 1 / 3, 0])


def test_likeness_of_documents_is_measured_by_that_of_their_nearest(monkeypatch):
    alike = np.array([[1, 0.8, 0.2], [0.8, 1, 0.4], [0.2, 0.4, 1]], np.float32)
    monkeypatch.setattr(features, "_FEW", 1)
    monkeypatch.setattr(features, "document_similarity", lambda context: alike.copy())
    context = SimpleNamespace(table=mentions_of([0, 1, 2]))
    found = features._relative(context, np.array([0, 0, 0]), np.array([1, 2, 0]))
    np.testing.assert_allclose(found, [1, 0.2 / (0.8 * 0.4) ** 0.5, np.nan], rtol=1e-5)


@pytest.fixture
def context(tmp_path):
    corpus = stories(2)
    some = words(corpus)
    table = gold(corpus, some, "event")
    background = background_words(corpus)
    return build_context(
        corpus, some, table, Rarity.of([["a"]]), Hashed(folder=tmp_path), background
    )


def test_every_feature_is_the_same_both_ways_round(context):
    one, other = np.triu_indices(len(context.table), 1)
    seen = features.features(context, one, other)
    assert seen.shape == (len(one), len(features.names(context)))
    np.testing.assert_allclose(seen, features.features(context, other, one), rtol=1e-5)


def test_like_arguments_mean_the_same(context):
    view = {view.name: view for view in context.views}["arguments: meaning"]
    # "The quake struck Aceh on Monday" in two documents, but for the day; then the tremor.
    same, different = view.similarity(np.array([0, 0]), np.array([2, 1]))
    assert same > different
