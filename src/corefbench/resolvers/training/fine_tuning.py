"""Fine-tuning of encoders: optimizer, learning-rate schedule, determinism and training loop."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils import deterministic

from corefbench.progress import ProgressLog
from corefbench.resolvers.training.config import Report

T = TypeVar("T")


def build_optimizer(
    network: nn.Module, *, encoder_rate: float, rate: float, decay: float = 0.01, frozen_layers: int = 0
) -> torch.optim.Optimizer:
    """Return AdamW with a lower rate for the encoder than for the layers on top of it.

    The embeddings of the encoder and its lowest ``frozen_layers`` are not trained.
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


def set_learning_rates(
    optimizer: torch.optim.Optimizer, progress: float, warm_up: float, *, minimum: float = 0.0
) -> None:
    """Set the rates for a step; ``progress`` is the finished share of the training."""
    for group in optimizer.param_groups:
        group["lr"] = group["full"] * max(linear_schedule(progress, warm_up), minimum)


def linear_schedule(progress: float, warm_up: float) -> float:
    """Return the rate factor: linear warm-up, then linear decay to 0.

    >>> [linear_schedule(progress, 0.5) for progress in (0.0, 0.25, 0.5, 0.75, 1.0)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    return progress / warm_up if progress < warm_up else max((1 - progress) / (1 - warm_up), 0.0)


@contextmanager
def deterministic_training() -> Iterator[None]:
    """Make the same seed give the same weights, to the last bit.

    Threads otherwise add the gradients of one row in the order in which they finish. On a GPU some
    sums have no deterministic implementation; torch then warns.
    """
    enabled = torch.are_deterministic_algorithms_enabled()
    warn_only = torch.is_deterministic_algorithms_warn_only_enabled()
    memory: Any = deterministic  # its one setting is missing in its type stubs
    fill = memory.fill_uninitialized_memory
    torch.use_deterministic_algorithms(True, warn_only=torch.cuda.is_available())
    # Filling uninitialized memory only helps to find bugs, and costs a pass over every tensor.
    memory.fill_uninitialized_memory = False
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(enabled, warn_only=warn_only)
        memory.fill_uninitialized_memory = fill


def half_precision_weights(network: nn.Module) -> dict[str, np.ndarray]:
    """Return all weights in half precision."""
    return {name: value.detach().half().numpy() for name, value in network.state_dict().items()}


def load_weights(network: nn.Module, arrays: Mapping[str, np.ndarray]) -> None:
    """Load weights that were stored in half precision."""
    network.load_state_dict({name: torch.from_numpy(np.array(a, np.float32)) for name, a in arrays.items()})


def train_network(
    network: nn.Module,
    optimizer: torch.optim.Optimizer,
    batches: Sequence[T],
    loss: Callable[[T], Tensor],
    evaluate: Callable[[], tuple[float, str]],
    *,
    checks: int,
    name: str,
    report: Report,
    warm_up: float | None = 0.1,
    clip: float | None = 1.0,
) -> None:
    """Train on all batches once; of ``checks`` evaluated states the best is kept.

    ``evaluate`` returns a score on development data and how to report it. ``warm_up``: share of the
    training in which the rates grow, before they decay; None: they are constant. ``clip``: maximum
    norm of the gradients.
    """
    best, state = -1.0, network.state_dict()
    progress = ProgressLog(name, len(batches), report)
    every = max(len(batches) // max(checks, 1), 1)
    losses: list[float] = []
    for step, batch in enumerate(batches, start=1):
        if warm_up is not None:
            set_learning_rates(optimizer, (step - 1) / len(batches), warm_up)
        network.train()
        batch_loss = loss(batch)
        batch_loss.backward()
        if clip is not None:
            nn.utils.clip_grad_norm_(network.parameters(), clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        losses.append(float(batch_loss.detach()))
        if step % every:
            progress.step()
            continue
        score, note = evaluate()
        progress.step(f"loss {sum(losses) / len(losses):.3f}, dev {note}", is_logged=True)
        losses.clear()
        if score > best:
            best = score
            state = {key: value.clone() for key, value in network.state_dict().items()}
    network.load_state_dict(state)
    network.eval()
