"""The whole way without an encoder: train, save, load, predict, score."""

import msgspec
import numpy as np
import pytest

from corefbench.errors import UsageError
from corefbench.resolvers.across import model as models
from corefbench.resolvers.across.boosting import Boosting
from corefbench.resolvers.across.config import AcrossConfig
from corefbench.resolvers.across.model import CrossDocument
from corefbench.resolvers.across.response import respond
from corefbench.resolvers.across.table import gold
from corefbench.resolvers.predict import predict
from corefbench.scoring.api import score
from corefbench.training import across
from corefbench.training.across_data import Material, data_hash
from tests.unit.resolvers.across.corpora import hashed, stories, words

SETTINGS = {"trees": 30, "least": 5}
STACKED = {"folds": 2, "first": SETTINGS, "second": SETTINGS}


@pytest.fixture(autouse=True)
def _without_parser_and_encoder(monkeypatch, tmp_path):
    pytest.importorskip("sklearn")
    pytest.importorskip("safetensors")
    monkeypatch.setattr(models, "analysed", words)
    monkeypatch.setattr(across, "analysed", words)
    monkeypatch.setattr(models, "Vectoriser", hashed(tmp_path))


def trained(scorer="boosting", **more):
    config = AcrossConfig(scorer=scorer, settings=SETTINGS, **more)
    return across.fit(Material(corpus=stories(8)), Material(corpus=stories(6)), config)


def key_of(corpus, kind="event"):
    table = gold(corpus, words(corpus), kind)
    return respond(corpus, table, table.chain, kind)


def conll(key, response, profile="cattan-2021"):
    return score(key, response, profile=profile).conll.f1


def test_boosting_learns_what_the_lemma_cannot_tell():
    corpus = stories(4)
    boosted, _ = trained()
    lemma, _ = trained("head-lemma")
    key = key_of(corpus)
    assert conll(key, boosted.predict(corpus)) == 1.0
    assert conll(key, lemma.predict(corpus)) < 0.9


def test_chains_reach_no_further_than_asked():
    corpus = stories(4)
    lemma, _ = trained("head-lemma")
    key = key_of(corpus)
    assert conll(key, lemma.predict(corpus, scope="subtopic")) == 1.0
    single = lemma.predict(corpus, scope="document")
    assert len(np.unique(single.chains.labels)) == len(single.mentions)


def test_predicted_subtopics_are_found_by_what_documents_say():
    corpus = stories(4)
    lemma, _ = trained("head-lemma")
    assert conll(key_of(corpus), lemma.predict(corpus, scope="predicted")) == 1.0


def test_the_singleton_baseline_links_nothing():
    corpus = stories(2)
    alone, _ = trained("singletons")
    assert conll(key_of(corpus), alone.predict(corpus)) == 0.0


def test_a_model_says_the_same_after_it_was_saved(tmp_path):
    corpus = stories(4)
    model, scores = trained()
    card = across.ModelCard(kind="cross-document", config=model.described(), scores=scores)
    model.save(tmp_path / "m", card)
    again = CrossDocument.load(tmp_path / "m")
    assert again.config == model.config
    first, second = model.predict(corpus), again.predict(corpus)
    assert (first.mentions.chain == second.mentions.chain).all()
    assert (
        across.predict_across(tmp_path / "m", corpus).chains.labels == second.chains.labels
    ).all()


def test_trees_refuse_features_that_they_were_not_taught():
    model, _ = trained()
    arrays = model.scorer.arrays()
    arrays["seen"] = np.frombuffer(b"colour of the ink", np.uint8)
    other = msgspec.structs.replace(model, scorer=Boosting.load({}, arrays))
    with pytest.raises(UsageError, match="other features"):
        other.predict(stories(2))


@pytest.mark.parametrize(("scorer", "settings"), [("boosting", SETTINGS), ("stacked", STACKED)])
def test_the_same_seed_gives_the_same_model(scorer, settings):
    config = AcrossConfig(scorer=scorer, settings=settings)
    material = Material(corpus=stories(8)), Material(corpus=stories(6))
    one, other = (across.fit(*material, config)[0].scorer.arrays() for _ in range(2))
    assert all((one[name] == other[name]).all() for name in one)


def test_blocked_groups_give_the_same_chains_here():
    corpus = stories(4)
    model, _ = trained()
    blocked, _ = trained(block_above=1)
    one, other = model.predict(corpus), blocked.predict(corpus)
    assert conll(one, other) == 1.0


def test_linking_is_a_named_choice_and_its_account_says_which_it_was():
    corpus = stories(4)
    model, _ = trained()
    told = []
    for linking in ("auto", "exact", "blocked"):
        answer = model.predict(corpus, scope="corpus", linking=linking, tell=told.append)
        assert conll(key_of(corpus), answer) == 1.0
    assert [account.linking.partition(":")[0] for account in told] == ["exact", "exact", "blocked"]
    count = len(key_of(corpus).mentions)
    assert [account.mentions for account in told] == [count] * 3
    assert told[1].pairs == count * (count - 1) // 2
    assert told[1].recall is None
    assert told[2].recall == told[2].together == 1.0
    with pytest.raises(UsageError, match="no linking"):
        model.predict(corpus, linking="loosely")


def test_a_checkpoint_is_linked_as_is_asked_for(tmp_path):
    corpus = stories(4)
    model, scores = trained("head-lemma")
    card = across.ModelCard(kind="cross-document", config=model.described(), scores=scores)
    model.save(tmp_path / "m", card)
    told, steps = [], []
    answer = predict(
        tmp_path / "m",
        corpus,
        mentions="gold",
        scope="subtopic",
        linking="blocked",
        step=lambda done, total: steps.append((done, total)),
        tell=told.append,
    )
    assert conll(key_of(corpus), answer) == 1.0
    assert told[0].linking.startswith("blocked:")
    assert steps[-1][0] == steps[-1][1] > 0


@pytest.mark.parametrize("limits", [{"block_above": 3}, {}])
def test_groups_that_are_too_large_are_blocked_without_being_asked_to(limits, monkeypatch):
    if not limits:
        monkeypatch.setattr("corefbench.resolvers.across.choosing.MOST", 3)
    model, _ = trained("head-lemma", **limits)
    told = []
    model.predict(stories(4), tell=told.append)
    assert told[0].linking.startswith("blocked:")


def test_a_scorer_that_looks_at_other_pairs_is_blocked_with_what_surrounds_a_pair():
    corpus = stories(4)
    config = AcrossConfig(scorer="stacked", settings=STACKED)
    model, _ = across.fit(Material(corpus=stories(8)), Material(corpus=stories(6)), config)
    answer = model.predict(corpus, linking="blocked")
    assert conll(key_of(corpus), answer) == conll(key_of(corpus), model.predict(corpus)) == 1.0


def test_entities_are_resolved_as_events_are():
    corpus = stories(4)
    model, scores = trained(kind="entity")
    response = model.predict(corpus)
    assert set(response.mentions.columns["kind"]) == {"entity"}
    assert conll(key_of(corpus, "entity"), response) == 1.0
    assert scores["gold topic +"] == 1.0


def test_an_ensemble_averages_its_members():
    settings = {"members": ["boosting", "head-lemma"], "weights": [3, 1], "boosting": SETTINGS}
    config = AcrossConfig(scorer="ensemble", settings=settings)
    model, _ = across.fit(Material(corpus=stories(8)), Material(corpus=stories(6)), config)
    assert conll(key_of(stories(4)), model.predict(stories(4))) == 1.0


def test_a_cascade_asks_its_second_scorer_where_the_first_is_in_doubt():
    settings = {
        "second": "head-lemma",
        "low": 0.0,
        "high": 1.0,
        "weight": 1.0,
        "boosting": SETTINGS,
        "folds": 2,
    }
    config = AcrossConfig(scorer="cascade", settings=settings)
    model, _ = across.fit(Material(corpus=stories(8)), Material(corpus=stories(6)), config)
    lemma, _ = trained("head-lemma")
    corpus = stories(4)
    assert conll(model.predict(corpus), lemma.predict(corpus)) == 1.0
    settings["low"] = 1.0
    first, _ = across.fit(Material(corpus=stories(8)), Material(corpus=stories(6)), config)
    assert conll(key_of(corpus), first.predict(corpus)) == 1.0


def test_a_stacked_model_looks_twice_and_says_the_same_after_it_was_saved(tmp_path):
    corpus = stories(4)
    config = AcrossConfig(scorer="stacked", settings=STACKED, folds=2)
    model, scores = across.fit(Material(corpus=stories(8)), Material(corpus=stories(6)), config)
    assert scores["gold topic +"] > 0.9
    assert conll(key_of(corpus), model.predict(corpus)) == 1.0
    card = across.ModelCard(kind="cross-document", config=model.described(), scores=scores)
    model.save(tmp_path / "m", card)
    again = CrossDocument.load(tmp_path / "m")
    for scope in ("topic", "subtopic"):
        first, second = model.predict(corpus, scope=scope), again.predict(corpus, scope=scope)
        assert (first.mentions.chain == second.mentions.chain).all()
    blocked = msgspec.structs.replace(model, config=msgspec.structs.replace(config, block_above=1))
    assert conll(key_of(corpus), blocked.predict(corpus)) == 1.0


def test_with_folds_all_topics_choose_the_threshold_and_are_learned_from():
    corpus = stories(4)
    model, scores = trained(folds=2)
    assert conll(key_of(corpus), model.predict(corpus)) == 1.0
    assert {"gold topic", "gold subtopic", "gold document"} <= set(model.thresholds)
    assert scores["gold topic +"] > 0.9


def test_a_model_without_detector_says_so():
    model, _ = trained("singletons")
    with pytest.raises(UsageError, match="without a detector"):
        model.predict(stories(2), mentions="predicted")
    with pytest.raises(UsageError, match="no mentions"):
        model.predict(stories(2), mentions="golden")
    with pytest.raises(UsageError, match="no scope"):
        model.predict(stories(2), scope="village")


def test_an_empty_corpus_stays_empty():
    model, _ = trained("head-lemma")
    corpus = stories(2)
    nothing = respond(corpus, gold(corpus, words(corpus), "none"), np.zeros(0, np.int64), "event")
    assert len(model.predict(nothing).mentions) == 0


def test_the_hash_of_data_changes_with_the_data():
    assert data_hash(stories(2)) == data_hash(stories(2)) != data_hash(stories(3))
