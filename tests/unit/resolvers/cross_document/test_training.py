"""A configuration gives a cross-document model: detector, scorer, thresholds, checkpoint."""

from pathlib import Path

import msgspec
import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.resolvers.cross_document import model as models
from corefbench.resolvers.cross_document import training
from corefbench.resolvers.cross_document.mentions import gold_mentions
from corefbench.resolvers.cross_document.model import CrossDocumentModel, build_response
from corefbench.resolvers.cross_document.scorers.base import pair_scorers
from corefbench.resolvers.cross_document.training import TrainingData, annotated_sentences
from corefbench.resolvers.training import CorpusSource, TrainingConfig, read_config, train
from corefbench.scoring.api import score
from tests.unit.resolvers.cross_document.corpora import stories, words
from tests.unit.resolvers.neural import tiny


def test_only_sentences_with_mentions_are_kept():
    build = CorpusBuilder("c")
    build.begin_document("d", columns={"topic": "1"})
    build.sentence(["No", "one", "."])
    build.sentence(["Ann", "left", "."])
    build.sentence(["It", "rained", "."])
    build.sentence(["She", "and", "Bo", "won", "."])
    build.mention("ann", [(3, 4)], columns={"kind": "entity"})
    build.mention("ann", [(9, 10)], columns={"kind": "entity"})
    build.mention("both", [(9, 10), (11, 12)], columns={"kind": "entity"})
    build.begin_document("empty", columns={"topic": "2"})
    build.sentence(["Nothing", "."])
    made = annotated_sentences(build.finish())
    (document,) = list(made)
    assert document.words == ["Ann", "left", ".", "She", "and", "Bo", "won", "."]
    assert [m.text for m in document.mentions] == ["Ann", "She … Bo", "She"]
    assert made.documents.columns == {"topic": ("1",)}
    assert len(made.chains) == 2
    assert list(made.mentions.columns["kind"]) == ["entity"] * 3


pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")
pytest.importorskip("sklearn", reason="needs the extra learned")


TREES = {"trees": 20, "least": 5}
EXAMPLES = Path(__file__).parents[4] / "examples" / "training"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("across")
    config = TrainingConfig(
        kind="cross-document",
        train=(CorpusSource(corpus="train"),),
        dev=(CorpusSource(corpus="dev"),),
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
        patch.setattr(training, "analyse_corpus", words)
        patch.setattr(models, "analyse_corpus", words)
        patch.setattr(training, "load_data", lambda name, sentences: TrainingData(corpus=corpora[name]))
        card = train(config, folder / "model")
        model = CrossDocumentModel.load(folder / "model")
        yield card, model


def key_of(corpus):
    table = gold_mentions(corpus, words(corpus), "event")
    return build_response(corpus, table, table.chain, "event")


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
    recipe = msgspec.convert({"model": config.model, **config.training}, training.TrainingRecipe)
    assert recipe.model.kind == name.partition("-")[0]
    assert recipe.model.scorer in pair_scorers
    assert set(recipe.model.settings) <= {"folds", "first", "second", "weight", "pairs"} | {
        recipe.model.settings.get(place)
        for place in ("first", "second")
        if isinstance(recipe.model.settings.get(place), str)
    }
