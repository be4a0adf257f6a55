import numpy as np

from corefbench.resolvers.cross_document import context
from corefbench.resolvers.cross_document.context import SimilarityView
from corefbench.resolvers.cross_document.vectors import InverseDocumentFrequency, character_trigrams, tfidf_rows


def test_rows_are_cosines_of_weighted_bags():
    rarity = InverseDocumentFrequency(weights={"a": 1.0, "b": 2.0}, unseen=3.0)
    matrix = tfidf_rows([["a", "b"], ["b"], [], ["x"]], rarity)
    view = SimilarityView(name="words", rows=matrix, row_of=np.array([0, 1, 2, 3]))
    found = view.similarity(np.array([0, 1, 0]), np.array([1, 2, 3]))
    np.testing.assert_allclose(found, [2 / 5**0.5, np.nan, 0], rtol=1e-6)


def test_a_mention_without_a_row_is_missing():
    view = SimilarityView(name="v", rows=np.eye(2, dtype=np.float32), row_of=np.array([0, -1]))
    assert np.isnan(view.similarity(np.array([0]), np.array([1]))).all()


def test_pair_by_pair_and_all_with_all_agree(monkeypatch):
    random = np.random.default_rng(0)
    dense = random.normal(size=(20, 5)).astype(np.float32)
    sparse = tfidf_rows([random.choice(list("abcdef"), 3).tolist() for _ in range(20)])
    left, right = random.integers(0, 20, (2, 500))
    for matrix in (dense, sparse):
        view = SimilarityView(name="v", rows=matrix, row_of=np.arange(20))
        square = view.similarity(left, right)
        monkeypatch.setattr(context, "_MAX_DENSE_ROWS", 0)
        np.testing.assert_allclose(view.similarity(left, right), square, rtol=1e-4, atol=1e-6)
        monkeypatch.undo()


def test_trigrams_have_the_edges_of_the_word():
    assert character_trigrams("a") == ["^a$"]
    assert character_trigrams("") == ["^$"]
