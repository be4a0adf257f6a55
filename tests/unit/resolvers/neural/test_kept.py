"""What is kept is made once, of what decides it, and never more than there is room for."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch

from corefbench.resolvers.neural.kept import Kept


def made_of(kept, *given):
    """What is kept of the given, and how often it had to be made."""
    count = 0

    def make():
        nonlocal count
        count += 1
        return sum(given) * 2.0

    return kept.of(given, make), count


ONE, OTHER = torch.arange(6), torch.arange(6) + 1


def test_it_is_made_once():
    kept = Kept()
    first, made = made_of(kept, ONE)
    again, made_again = made_of(kept, ONE.clone())
    assert (made, made_again) == (1, 0)
    assert again is first


def test_all_that_is_given_decides():
    kept = Kept()
    seen = [made_of(kept, *given) for given in ((ONE, OTHER), (OTHER, ONE), (ONE, ONE), (ONE,))]
    assert [made for _, made in seen] == [1, 1, 1, 1]
    assert len(kept) == 4


def test_what_was_made_for_use_can_be_learned_from():
    kept = Kept()
    with torch.inference_mode():
        found, _ = made_of(kept, ONE)
    weight = torch.ones(6, requires_grad=True)
    (weight * found).sum().backward()
    assert torch.equal(weight.grad, found)


def test_no_more_is_kept_than_there_is_room_for():
    kept = Kept(most=2 * 6 * 4 + 1)
    for shift in range(4):
        found, made = made_of(kept, ONE + shift)
        assert made == 1
        assert torch.equal(found, (ONE + shift) * 2.0)
    assert len(kept) == 2
    assert made_of(kept, ONE)[1] == 0
    assert made_of(kept, ONE + 3)[1] == 1
