"""Training can be repeated to the last bit, and what it sets is set back."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch
from torch.utils import deterministic

from corefbench.resolvers.training.fine_tuning import deterministic_training


def gradient():
    """Of rows that are taken up many times, by two threads."""
    random = torch.Generator().manual_seed(0)
    table = torch.randn(50, 256, generator=random).requires_grad_()
    places = torch.randint(50, (400, 40), generator=random)
    weights = torch.randn(400, 40, 256, generator=random)
    (table[places] * weights).sum().backward()
    return table.grad


def test_gradients_are_the_same_again(request):
    threads = torch.get_num_threads()
    request.addfinalizer(lambda: torch.set_num_threads(threads))
    torch.set_num_threads(2)
    with deterministic_training():
        first = gradient()
        assert all(torch.equal(gradient(), first) for _ in range(20))


def test_what_was_set_is_set_again_also_after_a_failure():
    filled = deterministic.fill_uninitialized_memory
    seen = []

    @deterministic_training()
    def fail():
        seen.append(torch.are_deterministic_algorithms_enabled())
        seen.append(deterministic.fill_uninitialized_memory)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert seen == [True, False]
    assert not torch.are_deterministic_algorithms_enabled()
    assert deterministic.fill_uninitialized_memory == filled
