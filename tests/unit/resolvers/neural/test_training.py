"""A tiny end-to-end model learns, goes on after a kill, and repeats itself."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")

import corefbench as cb
from corefbench.errors import FormatError
from corefbench.formats.load import load
from corefbench.resolvers.neural.model import ModelConfig
from corefbench.resolvers.neural.training import TrainingSchedule, train_model
from corefbench.resolvers.predict import predict
from corefbench.resolvers.training import CorpusSource, TrainingConfig
from corefbench.resolvers.training import train as train_from
from tests.unit.resolvers.neural import tiny

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def shape(tmp_path_factory):
    folder = tiny.encoder(tmp_path_factory.mktemp("encoder"))
    return ModelConfig(
        encoder=folder, window=64, schemes=("own",), longest=4, hidden=32, span=32, most=8,
        dropout=0.1,
    )  # fmt: skip


SCHEDULE = TrainingSchedule(epochs=2, patience=9, encoder_rate=1e-3, rate=3e-3, threads=1, save_every=5, seed=1)


def trained(shape, folder, schedule=SCHEDULE, stop_after=None, start=None):
    """Train on twelve texts; ``stop_after`` documents the process dies."""
    heard = []

    def report(line):
        heard.append(line)
        if stop_after is not None and len(heard) >= stop_after:
            raise KeyboardInterrupt

    dev = [("own", tiny.documents(4, first=12))]
    return train_model(shape, schedule, tiny.documents(12), dev, folder, report, start)


@pytest.fixture(scope="module")
def uninterrupted(shape, tmp_path_factory):
    return trained(shape, tmp_path_factory.mktemp("whole"))


def weights(made):
    return {name: value.tolist() for name, value in made.model.state_dict().items()}


def test_the_loss_falls_and_the_chains_are_found(shape, tmp_path):
    from msgspec.structs import replace

    made = trained(shape, tmp_path, replace(SCHEDULE, epochs=12))
    losses = [epoch["loss"] for epoch in made.history]
    assert losses[0] > losses[1] > losses[2]
    assert losses[-1] < losses[0] / 4
    assert made.best > 0.9


def test_the_same_seed_gives_the_same_weights(shape, tmp_path, uninterrupted):
    again = trained(shape, tmp_path)
    assert again.history == uninterrupted.history
    assert weights(again) == weights(uninterrupted)


def test_sums_are_made_in_one_order_as_long_as_it_is_trained(shape, tmp_path):
    import torch

    asked = []

    def report(line):
        asked.append(torch.are_deterministic_algorithms_enabled())

    train_model(shape, SCHEDULE, tiny.documents(12), [("own", tiny.documents(1))], tmp_path, report)
    assert asked
    assert all(asked)
    assert not torch.are_deterministic_algorithms_enabled()


def test_another_seed_gives_others(shape, tmp_path, uninterrupted):
    from msgspec.structs import replace

    other = trained(shape, tmp_path, replace(SCHEDULE, seed=2, epochs=1))
    assert other.history[0]["loss"] != uninterrupted.history[0]["loss"]


@pytest.mark.parametrize("stop_after", [2, *(pytest.param(lines, marks=pytest.mark.slow) for lines in (1, 3))])
def test_a_run_that_was_killed_ends_like_one_that_was_not(shape, tmp_path, uninterrupted, stop_after):
    with pytest.raises(KeyboardInterrupt):
        trained(shape, tmp_path, stop_after=stop_after)
    again = trained(shape, tmp_path)
    assert weights(again) == weights(uninterrupted)
    assert again.best == uninterrupted.best


def test_the_average_of_the_last_epochs_is_their_mean(shape, tmp_path):
    import torch
    from msgspec.structs import replace
    from safetensors.torch import load_file

    from corefbench.resolvers.neural.training import _average_weights

    made = trained(shape, tmp_path, replace(SCHEDULE, epochs=3, average=2))
    second, third = (load_file(tmp_path / f"epoch-{n}.safetensors") for n in (2, 3))
    mean = _average_weights(tmp_path, 3, 2)
    for name, value in mean.items():
        assert torch.allclose(value, (second[name] + third[name]) / 2), name
    assert made.history[-1]["average"] == 1.0
    assert made.best == max(epoch["own"] for epoch in made.history)


@pytest.mark.parametrize("patience", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_it_stops_when_epochs_are_no_better(shape, tmp_path, patience):
    from msgspec.structs import replace

    # At next to no rate nothing is learned, so that no epoch is better than the first.
    still = replace(SCHEDULE, epochs=9, patience=patience, rate=1e-12, encoder_rate=1e-12)
    assert len(trained(shape, tmp_path, still).history) == 2 + patience


def test_frozen_layers_do_not_change(shape, tmp_path):
    from msgspec.structs import replace

    from corefbench.resolvers.neural.model import CoreferenceModel

    made = trained(shape, tmp_path, replace(SCHEDULE, epochs=1, frozen_layers=1)).model
    first = CoreferenceModel(shape).state_dict()
    for name, value in made.encoder.state_dict().items():
        same = value.equal(first[f"encoder.{name}"])
        assert same == any(part in name for part in ("embeddings", ".layer.0.")), name


def test_training_begins_with_the_weights_it_is_given(shape, tmp_path, uninterrupted):
    from msgspec.structs import replace

    start = uninterrupted.model.state_dict()
    once = replace(SCHEDULE, epochs=1)
    fresh = trained(shape, tmp_path / "fresh", once)
    later = trained(shape, tmp_path / "later", once, start=start)
    assert later.history[0]["loss"] < fresh.history[0]["loss"]


@pytest.fixture(scope="module")
def model(shape, tmp_path_factory):
    """A model that was trained from a configuration, and the text it was chosen by."""
    folder = tmp_path_factory.mktemp("model")
    paths = {"train": folder / "train.conll", "dev": folder / "dev.conll"}
    paths["train"].write_text(tiny.conll(tiny.documents(12)), encoding="utf-8")
    paths["dev"].write_text(tiny.conll(tiny.documents(4, first=12)), encoding="utf-8")
    config = TrainingConfig(
        kind="neural",
        train=(CorpusSource(corpus=str(paths["train"])),),
        dev=(CorpusSource(corpus=str(paths["dev"])),),
        seed=1,
        model={name: getattr(shape, name) for name in shape.__struct_fields__ if name != "schemes"},
        training={"epochs": 12, "encoder_rate": 1e-3, "rate": 3e-3, "threads": 1},
    )
    card = train_from(config, folder / "model")
    return folder / "model", card, load(paths["dev"])


def test_a_configuration_gives_a_model_whose_card_has_its_score(model):
    folder, card, dev = model
    assert card.kind == "neural"
    assert list(card.scores) == ["own"]
    assert len(card.data) == 2
    answer = predict(folder, dev)
    # Weights are kept as six-bit numbers, so the score is nearly the same.
    assert cb.score(dev, answer).conll.f1 == pytest.approx(card.scores["own"], abs=0.05)
    assert cb.score(dev, answer).conll.f1 > 0.9


def test_mentions_may_be_given(model):
    folder, _, dev = model
    answer = predict(folder, dev, mentions="gold")
    for ours, theirs in zip(answer, dev, strict=True):
        found = {span for chain in ours.clusters() for span in chain}
        assert found <= {span for chain in theirs.clusters() for span in chain}


def test_settings_that_do_not_exist_are_refused(tmp_path):
    config = TrainingConfig(kind="neural", train=(CorpusSource(corpus="bundled"),), training={"speed": 1})
    with pytest.raises(FormatError, match="CB250"):
        train_from(config, tmp_path)
