"""A network runs where it is told to; what is not there is said."""

import pytest
import torch

from corefbench.errors import UsageError
from corefbench.resolvers.neural import decode as decoding
from corefbench.resolvers.neural import device
from corefbench.resolvers.neural.decode import decode
from corefbench.resolvers.neural.loss import loss
from tests.unit.training import tiny


def test_a_graphics_processor_is_taken_if_there_is_one(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert device.device_of("auto").type == "cpu"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert device.device_of("auto").type == "cuda"


@pytest.mark.parametrize("name", ["cuda:99", "gpu", "meta", ""])
def test_a_device_that_is_not_there_is_refused(name):
    with pytest.raises(UsageError, match="there is no device") as caught:
        device.device_of(name)
    assert "device=cpu" in caught.value.remedy


def test_precision_is_halved_on_graphics_processors_only(monkeypatch):
    assert device.half(torch.device("cpu")) is None
    for supported, kind in ((True, torch.bfloat16), (False, torch.float16)):
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda answer=supported: answer)
        assert device.half(torch.device("cuda")) is kind


def example():
    made = tiny.documents(1)[0]
    return type(made)(
        name=made.name,
        words=made.words,
        sentences=made.sentences,
        chains={"one": made.chains["own"]},
    )


def test_all_that_is_made_on_the_way_follows_the_weights(network):
    # Whatever is made without a device lands where the weights are not, and cannot be mixed.
    with torch.device("meta"):
        found = decode(network, example(), "one", threshold=0.3)
        value = loss(network, example())
    assert found.spans
    assert value.device.type == "cpu"


def test_half_precision_runs_through_the_whole_network(network, monkeypatch):
    exact = decode(network, example(), "one", threshold=0.3)
    monkeypatch.setattr(
        decoding, "precision", lambda _: torch.autocast("cpu", dtype=torch.bfloat16)
    )
    rough = decode(network, example(), "one", threshold=0.3)
    assert len({*exact.spans} & {*rough.spans}) > len(exact.spans) / 2
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert float(loss(network, example()).detach()) > 0
