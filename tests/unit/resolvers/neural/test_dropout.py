"""Dropout drawn in bytes drops what it should, and nothing in use."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from corefbench.resolvers.neural.dropout import Dropout

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
