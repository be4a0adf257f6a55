"""A configuration gives a cross-document model: detector, scorer, thresholds, checkpoint."""

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")
pytest.importorskip("sklearn", reason="needs the extra learned")

import msgspec

from corefbench.resolvers.across import model as models
from corefbench.resolvers.across.model import CrossDocument
from corefbench.resolvers.across.response import respond
from corefbench.resolvers.across.scorer import scorers
from corefbench.resolvers.across.table import gold
from corefbench.scoring.api import score
from corefbench.training import Config, Source, across, read_config, train
from corefbench.training.across_data import Material
from tests.unit.resolvers.across.corpora import stories, words
from tests.unit.training import tiny

TREES = {"trees": 20, "least": 5}
EXAMPLES = Path(__file__).parents[3] / "examples" / "training"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("across")
    config = Config(
        kind="cross-document",
        train=(Source(corpus="train"),),
        dev=(Source(corpus="dev"),),
        model={
            "encoder": tiny.encoder(folder / "encoder"),
            "scorer": "stacked",
            "folds": 2,
            "settings": {"folds": 2, "first": TREES, "second": TREES},
            "detector": {"epochs": 6, "batch": 4, "rate": 1e-2},
        },
        training={"sentences": "curated"},
    )
    corpora = {"train": stories(6), "dev": stories(4)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COREFBENCH_CACHE", str(folder))
        patch.setattr(across, "analysed", words)
        patch.setattr(models, "analysed", words)
        patch.setattr(
            across, "load_material", lambda name, sentences: Material(corpus=corpora[name])
        )
        card = train(config, folder / "model")
        model = CrossDocument.load(folder / "model")
        yield card, model


def key_of(corpus):
    table = gold(corpus, words(corpus), "event")
    return respond(corpus, table, table.chain, "event")


def test_it_resolves_the_mentions_that_it_finds(trained):
    _, model = trained
    corpus = stories(4)  # with two documents a topic, no chain would reach beyond one
    response = model.predict(corpus, mentions="predicted", scope="subtopic")
    result = score(key_of(corpus), response, profile="coval-keep", scope="corpus")
    assert result["mentions"].f1 > 0.8
    assert result.conll.f1 > 0.8


def test_the_card_has_scores_of_mentions_and_of_every_reach(trained):
    card, _ = trained
    assert card.scores["mentions event"] > 0.8
    for mentions in ("gold", "predicted"):
        for reach in ("topic", "subtopic", "predicted"):
            assert 0 <= card.scores[f"{mentions} {reach} -"] <= 1
    assert set(card.data) == {"train", "dev"}
    assert "CPU-s" in card.notes


@pytest.mark.parametrize("name", ["event", "entity", "event-cross-encoder"])
def test_the_ready_configurations_are_ones_that_can_be_used(name):
    config = read_config(EXAMPLES / f"cross-document-{name}.toml")
    recipe = msgspec.convert({"model": config.model, **config.training}, across.Recipe)
    assert recipe.model.kind == name.partition("-")[0]
    assert recipe.model.scorer in scorers
    assert set(recipe.model.settings) <= {"folds", "first", "second", "weight", "pairs"} | {
        recipe.model.settings.get(place)
        for place in ("first", "second")
        if isinstance(recipe.model.settings.get(place), str)
    }
