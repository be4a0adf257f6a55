"""A network runs where it is told to; what is not there is said."""

import pytest
import torch

from corefbench.errors import UsageError
from corefbench.resolvers.neural import device
from corefbench.resolvers.neural.decoding import decode
from corefbench.resolvers.neural.training import training_loss
from tests.unit.resolvers.neural import tiny


def test_a_graphics_processor_is_taken_if_there_is_one(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert device.select_device("auto").type == "cpu"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert device.select_device("auto").type == "cuda"


@pytest.mark.parametrize("name", ["cuda:99", "gpu", "meta", ""])
def test_a_device_that_is_not_there_is_refused(name):
    with pytest.raises(UsageError, match="there is no device") as caught:
        device.select_device(name)
    assert "device=cpu" in caught.value.remedy


@pytest.mark.parametrize("instructions", ["_is_avx512_bf16_supported", "_is_amx_tile_supported"])
def test_precision_is_halved_on_processors_that_multiply_such_numbers(monkeypatch, instructions):
    for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        monkeypatch.setattr(torch.cpu, name, lambda: False)
    assert device.half_precision_type(torch.device("cpu")) is None
    monkeypatch.setattr(torch.cpu, instructions, lambda: True)
    assert device.half_precision_type(torch.device("cpu")) is torch.bfloat16


def test_precision_is_halved_on_graphics_processors(monkeypatch):
    for supported, kind in ((True, torch.bfloat16), (False, torch.float16)):
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda answer=supported: answer)
        assert device.half_precision_type(torch.device("cuda")) is kind


def example():
    made = tiny.documents(1)[0]
    return type(made)(name=made.name, words=made.words, sentences=made.sentences, chains={"one": made.chains["own"]})


def test_all_that_is_made_on_the_way_follows_the_weights(network):
    # Whatever is made without a device lands where the weights are not, and cannot be mixed.
    with torch.device("meta"):
        found = decode(network, example(), "one", threshold=0.3)
        value = training_loss(network, example())
    assert found.spans
    assert value.device.type == "cpu"


def test_mixed_precision_is_for_the_encoder_alone(network, monkeypatch):
    exact = network.encode(example())
    monkeypatch.setattr(device, "half_precision_type", lambda _: torch.bfloat16)
    assert torch.equal(network.encode(example()), exact)
    monkeypatch.setattr(network.encoder, "mixed", True)
    rough = network.encode(example())
    assert rough.dtype is torch.float32
    assert not torch.equal(rough, exact)
    assert torch.allclose(rough, exact, atol=0.1)
    assert float(training_loss(network, example()).detach()) > 0
