"""A tiny model of two schemes with random weights, saved once."""

import msgspec
import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")

import torch

from corefbench.resolvers.checkpoint import ModelCard
from corefbench.resolvers.neural.model import CoreferenceModel, ModelConfig, save_checkpoint
from tests.unit.resolvers.neural import tiny


@pytest.fixture(scope="session")
def shape(tmp_path_factory):
    return ModelConfig(
        encoder=tiny.encoder(tmp_path_factory.mktemp("encoder")),
        window=64,
        schemes=("one", "two"),
        longest=4,
        hidden=16,
        span=16,
        pair=16,
        most=8,
    )


@pytest.fixture(scope="session")
def network(shape):
    torch.manual_seed(1)
    return CoreferenceModel(shape).eval()


@pytest.fixture
def saved(network, shape, tmp_path):
    """Where it is saved; scheme ``two`` has singletons and is the one to use."""
    card = ModelCard(
        kind="neural",
        config={
            "shape": msgspec.to_builtins(shape),
            "singletons": ["two"],
            "scheme": "two",
            "decoding": {"two": {"threshold": 0.25, "bias": 0.5, "given": -50.0}},
        },
    )
    save_checkpoint(network, tmp_path / "model", card)
    return tmp_path / "model"
