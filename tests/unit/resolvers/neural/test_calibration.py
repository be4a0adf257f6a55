"""Thresholds and biases are chosen on development data, kept, and used."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")

import msgspec

from corefbench.resolvers.checkpoint import ModelCard, load_card, load_model
from corefbench.resolvers.neural.decoding import decode
from corefbench.resolvers.neural.model import ModelConfig, load_checkpoint, save_checkpoint
from corefbench.resolvers.neural.resolver import DecodingConfig, decoding_config
from corefbench.resolvers.neural.training import (
    BIASES,
    THRESHOLDS,
    TrainingSchedule,
    calibrate_checkpoint,
    calibrate_scheme,
    train_model,
)
from corefbench.scoring.api import score_clusters
from tests.unit.resolvers.neural import tiny

pytestmark = pytest.mark.filterwarnings("default")
DEV = tiny.documents(4, first=12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model after so little training that thresholds matter."""
    place = tmp_path_factory.mktemp("calibration")
    shape = ModelConfig(
        encoder=tiny.encoder(place / "encoder"), window=64, schemes=("own",), longest=4, hidden=32,
        span=32, most=8, dropout=0.1,
    )  # fmt: skip
    schedule = TrainingSchedule(epochs=5, encoder_rate=1e-3, rate=3e-3, threads=1, seed=1, device="cpu")
    made = train_model(shape, schedule, tiny.documents(12), [("own", DEV)], place / "training")
    card = ModelCard(kind="neural", config={"shape": msgspec.to_builtins(shape)})
    save_checkpoint(made.model, place / "model", card)
    return place / "model"


def conll(model, chosen, *, given=False):
    """The score when every document is decoded anew, the long way."""
    key, response = {}, {}
    for example in DEV:
        chains = example.chains["own"]
        made = decode(
            model,
            example,
            "own",
            threshold=chosen.threshold,
            bias=chosen.given if given else chosen.bias,
            mentions=[span for chain in chains for span in chain] if given else None,
        )
        key[example.name] = [list(chain) for chain in chains]
        response[example.name] = [chain for chain in made.chains() if len(chain) > 1]
    return score_clusters(key, response).conll.f1


def test_nothing_on_the_grid_is_better_than_what_is_chosen(folder):
    _, model = load_checkpoint(folder)
    chosen, score = calibrate_scheme(model, "own", DEV, keep_singletons=False)
    assert conll(model, chosen) == pytest.approx(score)
    assert chosen.threshold in THRESHOLDS
    assert chosen.bias in BIASES
    for threshold in (0.15, 0.35, 0.5, 0.6):
        for bias in (-0.75, 0.0, 0.75):
            other = DecodingConfig(threshold=threshold, bias=bias)
            assert conll(model, other) <= score + 1e-9
    best = conll(model, chosen, given=True)
    for bias in BIASES:
        assert conll(model, DecodingConfig(given=bias), given=True) <= best + 1e-9


def test_what_is_chosen_is_kept_beside_the_same_weights(folder):
    before = load_model(folder)[1]
    heard = []
    card = calibrate_checkpoint(folder, [("own", DEV)], heard.append)
    assert load_card(folder) == card
    assert (
        decoding_config(card, "own")
        == calibrate_scheme(load_checkpoint(folder)[1], "own", DEV, keep_singletons=False)[0]
    )
    assert card.scores["own"] == pytest.approx(conll(load_checkpoint(folder)[1], decoding_config(card, "own")))
    assert len(heard) == 1
    after = load_model(folder)[1]
    assert all((before[name] == after[name]).all() for name in before)


def test_a_model_that_was_not_calibrated_is_decoded_as_ever():
    card = ModelCard(kind="neural", config={"shape": {"schemes": ["own"]}})
    assert decoding_config(card, "own") == DecodingConfig(threshold=0.5, bias=0.0, given=0.0)
