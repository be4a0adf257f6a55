"""UBIU is trained on the bundled corpus and beats the baselines there."""

from pathlib import Path

import pytest

from corefbench.analysis.learning_curve import read_curve, train_curve
from corefbench.errors import FormatError, UnknownName, UsageError
from corefbench.resolvers.checkpoint import load_card
from corefbench.resolvers.predict import predict
from corefbench.resolvers.training import CorpusSource, TrainingConfig, read_config, train
from corefbench.resolvers.training.config import load_source
from tests.unit.resolvers.training.baselines import baselines, conll

pytest.importorskip("safetensors", reason="needs the extra learned")
pytest.importorskip("onnxruntime", reason="needs the extra en-accurate")

ROOT = Path(__file__).parents[4]
CONFIG = read_config(ROOT / "examples" / "training" / "ubiu-tiny.toml")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    train(CONFIG, folder)
    return folder


@pytest.fixture(scope="module")
def dev():
    return load_source(CONFIG.dev[0])


@pytest.fixture(scope="module")
def predicted(model, dev):
    return predict(model, dev)


def test_train_and_dev_share_no_documents(dev):
    train_documents = set(load_source(CONFIG.train[0]).documents.names)
    assert len(train_documents) == 14
    assert not train_documents & set(dev.documents.names)


def test_the_model_beats_singletons_and_one_chain_for_all(predicted, dev):
    assert conll(dev, predicted) > max(baselines(dev).values()) + 0.1


def test_the_card_has_the_score_of_a_prediction(model, predicted, dev):
    card = load_card(model)
    assert card.scores["bundled"] == pytest.approx(conll(dev, predicted))
    assert card.kind == "ubiu"
    assert card.licence == "CC0-1.0"
    assert card.data["bundled"].startswith("bundled@")


def test_given_mentions_are_the_mentions_of_the_answer(model, predicted, dev):
    def spans(corpus):
        return [sorted(span for chain in d.clusters() for span in chain) for d in corpus]

    gold = predict(model, dev, mentions="gold")
    assert spans(gold) == spans(dev)
    chained = predict(model, dev, mentions="non-singleton")
    wanted = [sorted(span for chain in d.clusters() if len(chain) > 1 for span in chain) for d in dev]
    assert spans(chained) == wanted
    assert conll(dev, gold) > conll(dev, predicted)


def test_the_same_configuration_gives_the_same_model(model, tmp_path):
    train(CONFIG, tmp_path)
    for name in ("model.json", "weights.safetensors"):
        assert (tmp_path / name).read_bytes() == (model / name).read_bytes()


def test_shares_are_nested_and_depend_on_the_seed():
    source = CONFIG.train[0]
    names = [set(load_source(source, share, 3).documents.names) for share in (0.1, 0.3, 0.6, 1)]
    assert [len(some) for some in names] == [2, 5, 9, 14]
    assert names[0] < names[1] < names[2] < names[3]
    assert set(load_source(source, 0.3, 4).documents.names) != names[1]


@pytest.mark.slow
def test_a_curve_has_fewer_unknown_words_with_more_documents(tmp_path):
    heard = []
    curve = train_curve(CONFIG, [1, 0.2, 0.5], tmp_path, heard.append)
    assert [point.documents for point in curve.points] == [3, 7, 14]
    unknown = [point.unknown for point in curve.points]
    assert unknown == sorted(unknown, reverse=True)
    assert unknown[0] > unknown[-1] > 0
    assert all(point.rare > point.unknown for point in curve.points)
    assert read_curve(tmp_path / "curve.json") == curve

    heard.clear()
    again = train_curve(CONFIG, [0.2, 0.5, 1], tmp_path, heard.append)
    assert again == curve
    assert not heard  # nothing is trained twice


@pytest.mark.parametrize("shares", [[], [0], [1.5]])
def test_invalid_shares_are_refused(tmp_path, shares):
    with pytest.raises(UsageError):
        train_curve(CONFIG, shares, tmp_path)


def test_settings_that_do_not_exist_or_do_not_fit_are_refused(tmp_path):
    def config(**parts):
        return TrainingConfig(kind="ubiu", train=(CorpusSource(corpus="bundled"),), source="c.toml", **parts)

    with pytest.raises(FormatError, match=r"c\.toml: CB250[^$]*'depth' in \[model\]"):
        train(config(model={"depth": 3}), tmp_path)
    with pytest.raises(FormatError, match="CB250"):
        train(config(model={"k": "many"}), tmp_path)
    with pytest.raises(FormatError, match="CB250"):
        train(config(training={"epochs": 3}), tmp_path)
    with pytest.raises(UnknownName):
        train(config(model={"classifier": "forest"}), tmp_path)
