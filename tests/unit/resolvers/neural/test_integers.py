"""Linear maps in whole numbers: exactly the sums that they stand for, near the real ones."""

import pytest
import torch
from torch import nn

from corefbench.resolvers.neural.integers import IntegerLinear, in_integers, integers_are_quick

pytestmark = pytest.mark.skipif(
    not integers_are_quick(torch.device("cpu")), reason="this processor has no kernels for them"
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
    made = IntegerLinear(exact)(given)
    assert made.shape == (*shape[:-1], 40)
    assert torch.allclose(made.double(), spelt_out(exact, given), atol=1e-5)


@torch.no_grad()
def test_sums_are_not_cut_off_where_all_numbers_are_great():
    # Two products of 255 · 63 are just below what sixteen bits hold: wider weights would be cut.
    exact = linear(512, 8)
    exact.weight.fill_(1.0)
    for sign in (1.0, -1.0):
        given = torch.full((3, 512), sign)
        assert torch.allclose(IntegerLinear(exact)(given), exact(given), rtol=1e-5)


@torch.no_grad()
def test_a_piece_that_stands_out_does_not_blur_the_others():
    exact = linear()
    given = torch.randn(4, 96)
    alone = IntegerLinear(exact)(given[:3])
    given[3] *= 1e4
    assert torch.equal(IntegerLinear(exact)(given)[:3], alone)


@torch.no_grad()
def test_nothing_stays_nothing_and_a_bias_may_be_missing():
    exact = linear(bias=False)
    assert torch.equal(IntegerLinear(exact)(torch.zeros(2, 96)), torch.zeros(2, 40))
    given = torch.randn(5, 96)
    near = IntegerLinear(exact)(given)
    assert (near - exact(given)).norm() < 0.02 * exact(given).norm()


def test_all_linear_maps_of_a_network_are_exchanged_and_nothing_else():
    network = nn.Sequential(linear(), nn.ModuleDict({"deep": linear(40, 40)}), nn.LayerNorm(40))
    in_integers(network)
    assert isinstance(network[0], IntegerLinear)
    assert isinstance(network[1]["deep"], IntegerLinear)
    assert isinstance(network[2], nn.LayerNorm)


def test_they_are_for_processors_that_have_them(monkeypatch):
    assert not integers_are_quick(torch.device("cuda"))
    for known, quick in {"AVX2": True, "AVX512": True, "DEFAULT": False, "SVE256": False}.items():
        monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda known=known: known)
        monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: True)
        assert integers_are_quick(torch.device("cpu")) is quick
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "AVX2")
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    assert not integers_are_quick(torch.device("cpu"))
