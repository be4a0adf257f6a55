"""What all training of an encoder with something on top shares: two rates, and their course, and
that it can be repeated."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils import deterministic


def optimiser_of(
    network: nn.Module,
    *,
    encoder_rate: float,
    rate: float,
    decay: float = 0.01,
    frozen_layers: int = 0,
) -> torch.optim.Optimizer:
    """The encoder learns slower than what stands on it.

    Its embeddings do not change at all, nor do its lowest ``frozen_layers``.
    """
    frozen = (".embeddings.", *(f".layer.{number}." for number in range(frozen_layers)))
    encoder: list[nn.Parameter] = []
    heads: list[nn.Parameter] = []
    for name, parameter in network.named_parameters():
        if any(part in name for part in frozen):
            parameter.requires_grad_(False)
        else:
            (encoder if name.startswith("encoder.") else heads).append(parameter)
    groups = [
        {"params": encoder, "lr": encoder_rate, "full": encoder_rate},
        {"params": heads, "lr": rate, "full": rate},
    ]
    return torch.optim.AdamW(groups, weight_decay=decay, fused=True)


def set_rates(
    optimiser: torch.optim.Optimizer, part: float, warm_up: float, *, least: float = 0.0
) -> None:
    """Set the rates for a step, ``part`` of the training being done."""
    for group in optimiser.param_groups:
        group["lr"] = group["full"] * max(course(part, warm_up), least)


def course(part: float, warm_up: float) -> float:
    """Up in a line, then down in a line to nothing.

    >>> [course(part, 0.5) for part in (0.0, 0.25, 0.5, 0.75, 1.0)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    return part / warm_up if part < warm_up else max((1 - part) / (1 - warm_up), 0.0)


@contextmanager
def repeatable() -> Iterator[None]:
    """Let the same seed give the same weights, to the last bit.

    Where gradients of the same row come from many places, threads add them in the order in which
    they come, unless they are told not to. Not every sum can be told so on a graphics processor:
    there it is asked for, with a warning where it cannot be had.
    """
    sums = torch.are_deterministic_algorithms_enabled()
    only_warned = torch.is_deterministic_algorithms_warn_only_enabled()
    memory: Any = deterministic  # its one setting is not in its types
    filled = memory.fill_uninitialized_memory
    torch.use_deterministic_algorithms(True, warn_only=torch.cuda.is_available())
    # What is read before it is written would be found by this, at the cost of a pass a tensor.
    memory.fill_uninitialized_memory = False
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(sums, warn_only=only_warned)
        memory.fill_uninitialized_memory = filled


def weights_of(network: nn.Module) -> dict[str, np.ndarray]:
    """All weights, in half precision."""
    return {name: value.detach().half().numpy() for name, value in network.state_dict().items()}


def load_weights(network: nn.Module, arrays: Mapping[str, np.ndarray]) -> None:
    """Give a network the weights that ``weights_of`` gave."""
    network.load_state_dict(
        {name: torch.from_numpy(np.array(a, np.float32)) for name, a in arrays.items()}
    )
