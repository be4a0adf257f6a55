"""Train, save, load, predict and score without an encoder."""

from functools import cache
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

from corefbench.errors import UsageError
from corefbench.resolvers.cross_document import model as models
from corefbench.resolvers.cross_document import training
from corefbench.resolvers.cross_document.config import CrossDocumentConfig
from corefbench.resolvers.cross_document.mentions import gold_mentions
from corefbench.resolvers.cross_document.model import CachedScorer, CrossDocumentModel, build_response
from corefbench.resolvers.cross_document.scorers.boosting import BoostingScorer
from corefbench.resolvers.cross_document.training import TrainingData, data_hash
from corefbench.resolvers.predict import predict
from corefbench.scoring.api import score
from tests.unit.resolvers.cross_document.corpora import hashed, stories, words

SETTINGS = {"trees": 30, "least": 5}
STACKED = {"folds": 2, "first": SETTINGS, "second": SETTINGS}


@pytest.fixture(autouse=True)
def _without_parser_and_encoder(monkeypatch, tmp_path):
    pytest.importorskip("sklearn")
    pytest.importorskip("safetensors")
    monkeypatch.setattr(models, "analyse_corpus", words)
    monkeypatch.setattr(training, "analyse_corpus", words)
    monkeypatch.setattr(models, "CachedEncoder", hashed(tmp_path))


def fit(config):
    return training.fit_model(TrainingData(corpus=stories(8)), TrainingData(corpus=stories(6)), config)


@cache
def trained(scorer="boosting", **more):
    """Train once per configuration: the stand-ins for parser and encoder are deterministic."""
    settings = STACKED if scorer == "stacked" else SETTINGS
    return fit(CrossDocumentConfig(scorer=scorer, settings=settings, **more))


def key_of(corpus, kind="event"):
    table = gold_mentions(corpus, words(corpus), kind)
    return build_response(corpus, table, table.chain, kind)


def conll(key, response, profile="cattan-2021"):
    return score(key, response, profile=profile).conll.f1


def test_boosting_beats_the_head_lemma_baseline():
    corpus = stories(4)
    boosted, _ = trained()
    lemma, _ = trained("head-lemma")
    key = key_of(corpus)
    assert conll(key, boosted.predict(corpus)) == 1.0
    assert conll(key, lemma.predict(corpus)) < 0.9


def test_chains_stay_within_the_scope():
    corpus = stories(4)
    lemma, _ = trained("head-lemma")
    key = key_of(corpus)
    assert conll(key, lemma.predict(corpus, scope="subtopic")) == 1.0
    single = lemma.predict(corpus, scope="document")
    assert len(np.unique(single.chains.labels)) == len(single.mentions)


def test_predicted_scope_finds_the_subtopics():
    corpus = stories(4)
    lemma, _ = trained("head-lemma")
    assert conll(key_of(corpus), lemma.predict(corpus, scope="predicted")) == 1.0


def test_the_singleton_baseline_links_nothing():
    corpus = stories(2)
    alone, _ = trained("singletons")
    assert conll(key_of(corpus), alone.predict(corpus)) == 0.0


def test_saved_model_predicts_the_same(tmp_path):
    corpus = stories(4)
    model, scores = trained()
    card = training.ModelCard(kind="cross-document", config=model.describe(), scores=scores)
    model.save(tmp_path / "m", card)
    again = CrossDocumentModel.load(tmp_path / "m")
    assert again.config == model.config
    first, second = model.predict(corpus), again.predict(corpus)
    assert (first.mentions.chain == second.mentions.chain).all()


def test_model_with_other_features_is_refused():
    model, _ = trained()
    arrays = model.scorer.arrays()
    arrays["seen"] = np.frombuffer(b"colour of the ink", np.uint8)
    other = msgspec.structs.replace(model, scorer=BoostingScorer.load({}, arrays))
    with pytest.raises(UsageError, match="other features"):
        other.predict(stories(2))


@pytest.mark.parametrize("scorer", ["boosting", pytest.param("stacked", marks=pytest.mark.slow)])
def test_the_same_seed_gives_the_same_model(scorer):
    model, _ = trained(scorer)
    expected, arrays = model.scorer.arrays(), fit(model.config)[0].scorer.arrays()
    assert all((arrays[name] == expected[name]).all() for name in expected)


def test_blocking_gives_the_same_chains_on_small_data():
    corpus = stories(4)
    model, _ = trained()
    blocked, _ = trained(block_above=1)
    assert conll(model.predict(corpus), blocked.predict(corpus)) == 1.0


def test_linking_is_chosen_by_name_and_reported():
    corpus = stories(4)
    model, _ = trained()
    reported = []
    for linking in ("auto", "exact", "blocked"):
        response = model.predict(corpus, scope="corpus", linking=linking, report=reported.append)
        assert conll(key_of(corpus), response) == 1.0
    assert [stats.linking.partition(":")[0] for stats in reported] == ["exact", "exact", "blocked"]
    count = len(key_of(corpus).mentions)
    assert [stats.mentions for stats in reported] == [count] * 3
    assert reported[1].pairs == count * (count - 1) // 2
    assert reported[1].blocking_recall is None
    assert reported[2].blocking_recall == reported[2].component_recall == 1.0
    with pytest.raises(UsageError, match="no linking"):
        model.predict(corpus, linking="loosely")


def test_predict_passes_scope_and_linking_on(tmp_path):
    corpus = stories(4)
    model, scores = trained("head-lemma")
    card = training.ModelCard(kind="cross-document", config=model.describe(), scores=scores)
    model.save(tmp_path / "m", card)
    reported, steps = [], []
    response = predict(
        tmp_path / "m",
        corpus,
        mentions="gold",
        scope="subtopic",
        linking="blocked",
        step=lambda done, total: steps.append((done, total)),
        tell=reported.append,
    )
    assert conll(key_of(corpus), response) == 1.0
    assert reported[0].linking.startswith("blocked:")
    assert steps[-1][0] == steps[-1][1] > 0


@pytest.mark.parametrize("limits", [{"block_above": 3}, {}])
def test_large_groups_are_blocked_automatically(limits, monkeypatch):
    if not limits:
        monkeypatch.setattr("corefbench.resolvers.cross_document.linking.MAX_EXACT_PAIRS", 3)
    model, _ = trained("head-lemma", **limits)
    reported = []
    model.predict(stories(4), report=reported.append)
    assert reported[0].linking.startswith("blocked:")


def test_stacked_scorer_works_with_blocking():
    corpus = stories(4)
    model, _ = trained("stacked")
    response = model.predict(corpus, linking="blocked")
    assert conll(key_of(corpus), response) == conll(key_of(corpus), model.predict(corpus)) == 1.0


def test_entities_can_be_resolved_too():
    corpus = stories(4)
    model, scores = trained(kind="entity")
    response = model.predict(corpus)
    assert set(response.mentions.columns["kind"]) == {"entity"}
    assert conll(key_of(corpus, "entity"), response) == 1.0
    assert scores["gold topic +"] == 1.0


def test_ensemble_of_boosting_and_head_lemma():
    settings = {"members": ["boosting", "head-lemma"], "weights": [3, 1], "boosting": SETTINGS}
    config = CrossDocumentConfig(scorer="ensemble", settings=settings)
    model, _ = fit(config)
    assert conll(key_of(stories(4)), model.predict(stories(4))) == 1.0


def test_cascade_uses_the_second_scorer_for_uncertain_pairs():
    settings = {"second": "head-lemma", "low": 0.0, "high": 1.0, "weight": 1.0, "boosting": SETTINGS, "folds": 2}
    config = CrossDocumentConfig(scorer="cascade", settings=settings)
    model, _ = fit(config)
    lemma, _ = trained("head-lemma")
    corpus = stories(4)
    assert conll(model.predict(corpus), lemma.predict(corpus)) == 1.0
    settings["low"] = 1.0
    first, _ = fit(config)
    assert conll(key_of(corpus), first.predict(corpus)) == 1.0


def test_saved_stacked_model_predicts_the_same(tmp_path):
    corpus = stories(4)
    model, scores = trained("stacked", folds=2)
    assert scores["gold topic +"] > 0.9
    assert conll(key_of(corpus), model.predict(corpus)) == 1.0
    card = training.ModelCard(kind="cross-document", config=model.describe(), scores=scores)
    model.save(tmp_path / "m", card)
    again = CrossDocumentModel.load(tmp_path / "m")
    for scope in ("topic", "subtopic"):
        first, second = model.predict(corpus, scope=scope), again.predict(corpus, scope=scope)
        assert (first.mentions.chain == second.mentions.chain).all()
    blocked = msgspec.structs.replace(model, config=msgspec.structs.replace(model.config, block_above=1))
    assert conll(key_of(corpus), blocked.predict(corpus)) == 1.0


def test_folds_tune_thresholds_on_all_topics():
    corpus = stories(4)
    model, scores = trained(folds=2)
    assert conll(key_of(corpus), model.predict(corpus)) == 1.0
    assert {"gold topic", "gold subtopic", "gold document"} <= set(model.thresholds)
    assert scores["gold topic +"] > 0.9


def test_invalid_mentions_and_scopes_are_refused():
    model, _ = trained("singletons")
    with pytest.raises(UsageError, match="without a mention detector"):
        model.predict(stories(2), mentions="predicted")
    with pytest.raises(UsageError, match="no mentions"):
        model.predict(stories(2), mentions="golden")
    with pytest.raises(UsageError, match="no scope"):
        model.predict(stories(2), scope="village")


def test_an_empty_corpus_stays_empty():
    model, _ = trained("head-lemma")
    corpus = stories(2)
    nothing = build_response(corpus, gold_mentions(corpus, words(corpus), "none"), np.zeros(0, np.int64), "event")
    assert len(model.predict(nothing).mentions) == 0


def test_data_hash_depends_on_the_data():
    assert data_hash(stories(2)) == data_hash(stories(2)) != data_hash(stories(3))


CONTEXT = SimpleNamespace(mentions=range(5))


class Counting:
    """Scores pairs by their sum and counts the calls."""

    calls = 0

    def score(self, context, left, right):
        self.calls += 1
        return (left + right).astype(np.float32)


def pairs(*numbers):
    left, right = zip(*numbers, strict=True)
    return np.array(left), np.array(right)


def test_cached_pairs_are_looked_up_in_either_order():
    counting = Counting()
    cached = CachedScorer(counting, CONTEXT, *pairs((0, 4), (2, 3), (0, 1)))
    assert cached.score(CONTEXT, *pairs((3, 2), (0, 1), (0, 4))).tolist() == [5, 1, 4]
    assert counting.calls == 1


def test_uncached_pairs_and_other_contexts_are_scored():
    counting = Counting()
    cached = CachedScorer(counting, CONTEXT, *pairs((0, 4)))
    assert cached.score(CONTEXT, *pairs((0, 4), (1, 2))).tolist() == [4, 3]
    assert cached.score(SimpleNamespace(mentions=range(5)), *pairs((0, 4))).tolist() == [4]
    assert counting.calls == 3
