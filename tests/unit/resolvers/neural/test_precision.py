"""Devices, numeric precision, dropout and int8 layers."""

import pytest
import torch
from torch import nn

from corefbench.errors import UsageError
from corefbench.resolvers.neural import precision
from corefbench.resolvers.neural.decoding import decode
from corefbench.resolvers.neural.precision import Dropout, Int8Linear, has_int8_kernels, quantize_linear_layers
from corefbench.resolvers.neural.training import training_loss
from tests.unit.resolvers.neural import tiny


def test_a_graphics_processor_is_taken_if_there_is_one(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert precision.select_device("auto").type == "cpu"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert precision.select_device("auto").type == "cuda"


@pytest.mark.parametrize("name", ["cuda:99", "gpu", "meta", ""])
def test_a_device_that_is_not_there_is_refused(name):
    with pytest.raises(UsageError, match="there is no device") as caught:
        precision.select_device(name)
    assert "device=cpu" in caught.value.remedy


@pytest.mark.parametrize("instructions", ["_is_avx512_bf16_supported", "_is_amx_tile_supported"])
def test_precision_is_halved_on_processors_that_multiply_such_numbers(monkeypatch, instructions):
    for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        monkeypatch.setattr(torch.cpu, name, lambda: False)
    assert precision.half_precision_type(torch.device("cpu")) is None
    monkeypatch.setattr(torch.cpu, instructions, lambda: True)
    assert precision.half_precision_type(torch.device("cpu")) is torch.bfloat16


def test_precision_is_halved_on_graphics_processors(monkeypatch):
    for supported, kind in ((True, torch.bfloat16), (False, torch.float16)):
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda answer=supported: answer)
        assert precision.half_precision_type(torch.device("cuda")) is kind


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
    monkeypatch.setattr(precision, "half_precision_type", lambda _: torch.bfloat16)
    assert torch.equal(network.encode(example()), exact)
    monkeypatch.setattr(network.encoder, "mixed", True)
    rough = network.encode(example())
    assert rough.dtype is torch.float32
    assert not torch.equal(rough, exact)
    assert torch.allclose(rough, exact, atol=0.1)
    assert float(training_loss(network, example()).detach()) > 0


ONES = torch.ones(1001, 333)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.9])
def test_it_drops_its_share_and_keeps_the_mean(share):
    torch.manual_seed(0)
    made = Dropout(share)(ONES)
    assert float((made == 0).float().mean()) == pytest.approx(share, abs=0.004)
    assert float(made.mean()) == pytest.approx(1, abs=0.01)
    assert len(made.unique()) == 2


def test_every_place_is_as_likely_as_any_other():
    torch.manual_seed(0)
    layer = Dropout(0.5)
    kept = sum((layer(torch.ones(64)) > 0).float() for _ in range(2000)) / 2000
    assert float((kept - 0.5).abs().max()) < 0.06


def test_neighbours_are_dropped_independently():
    torch.manual_seed(0)
    kept = (Dropout(0.5)(torch.ones(200_000)) > 0).float() - 0.5
    for far in (1, 2, 7, 8, 9, 64):
        assert abs(float((kept[far:] * kept[:-far]).mean())) < 0.003


def test_a_seed_gives_the_same_again():
    layer = Dropout(0.3)
    torch.manual_seed(5)
    one, other = layer(ONES), layer(ONES)
    torch.manual_seed(5)
    assert torch.equal(one, layer(ONES))
    assert not torch.equal(one, other)


def test_gradients_pass_where_numbers_did():
    torch.manual_seed(0)
    given = torch.ones(50, 7, requires_grad=True)
    made = Dropout(0.3)(given)
    made.sum().backward()
    assert torch.equal(given.grad, made.detach())


def test_in_use_and_without_a_share_everything_passes():
    assert Dropout(0.3).eval()(ONES) is ONES
    assert Dropout(0.0)(ONES) is ONES


def test_all_can_be_dropped_and_numbers_of_two_bytes_stay_such():
    assert not Dropout(1.0)(ONES).any()
    assert Dropout(0.3)(ONES.bfloat16()).dtype is torch.bfloat16


pytestmark = pytest.mark.skipif(
    not has_int8_kernels(torch.device("cpu")), reason="this processor has no kernels for them"
)


def linear(width=96, out=40, *, bias=True):
    torch.manual_seed(5)
    return nn.Linear(width, out, bias=bias).eval()


def spelt_out(exact, given):
    """The same by the formula, in float64."""
    weight, given = exact.weight.detach().double(), given.double()
    by_row = weight.abs().amax(1, keepdim=True) / 63
    by_piece = given.abs().amax(-1, keepdim=True) / 127
    summed = (given / by_piece).round() @ (weight / by_row).round().T
    return summed * by_piece * by_row.T + exact.bias.detach().double()


@torch.no_grad()
@pytest.mark.parametrize("shape", [(1, 96), (7, 96), (2, 5, 96), (300, 96)])
def test_it_is_the_sum_of_the_formula(shape):
    exact = linear()
    given = torch.randn(shape)
    made = Int8Linear(exact)(given)
    assert made.shape == (*shape[:-1], 40)
    assert torch.allclose(made.double(), spelt_out(exact, given), atol=1e-5)


@torch.no_grad()
def test_sums_are_not_cut_off_where_all_numbers_are_great():
    # Two products of 255 · 63 are just below what sixteen bits hold: wider weights would be cut.
    exact = linear(512, 8)
    exact.weight.fill_(1.0)
    for sign in (1.0, -1.0):
        given = torch.full((3, 512), sign)
        assert torch.allclose(Int8Linear(exact)(given), exact(given), rtol=1e-5)


@torch.no_grad()
def test_a_piece_that_stands_out_does_not_blur_the_others():
    exact = linear()
    given = torch.randn(4, 96)
    alone = Int8Linear(exact)(given[:3])
    given[3] *= 1e4
    assert torch.equal(Int8Linear(exact)(given)[:3], alone)


@torch.no_grad()
def test_nothing_stays_nothing_and_a_bias_may_be_missing():
    exact = linear(bias=False)
    assert torch.equal(Int8Linear(exact)(torch.zeros(2, 96)), torch.zeros(2, 40))
    given = torch.randn(5, 96)
    near = Int8Linear(exact)(given)
    assert (near - exact(given)).norm() < 0.02 * exact(given).norm()


def test_all_linear_maps_of_a_network_are_exchanged_and_nothing_else():
    network = nn.Sequential(linear(), nn.ModuleDict({"deep": linear(40, 40)}), nn.LayerNorm(40))
    quantize_linear_layers(network)
    assert isinstance(network[0], Int8Linear)
    assert isinstance(network[1]["deep"], Int8Linear)
    assert isinstance(network[2], nn.LayerNorm)


def test_they_are_for_processors_that_have_them(monkeypatch):
    assert not has_int8_kernels(torch.device("cuda"))
    for known, quick in {"AVX2": True, "AVX512": True, "DEFAULT": False, "SVE256": False}.items():
        monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda known=known: known)
        monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: True)
        assert has_int8_kernels(torch.device("cpu")) is quick
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "AVX2")
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    assert not has_int8_kernels(torch.device("cpu"))
