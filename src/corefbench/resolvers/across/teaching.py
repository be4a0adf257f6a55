"""How networks over pairs are taught: one plan of steps, checked on the way, the best one kept."""

import time
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from corefbench.record import Longs
from corefbench.resolvers.across.scorer import Report
from corefbench.resolvers.neural.fine_tuning import set_rates

_WARM_UP = 0.1
_CLIP = 1.0
_SAID = 10
"""How often the way is reported between two checks."""


def teach(
    network: nn.Module,
    optimiser: torch.optim.Optimizer,
    plan: Sequence[Longs],
    loss: Callable[[Longs], Tensor],
    check: Callable[[], float],
    *,
    checks: int,
    name: str,
    report: Report,
) -> None:
    """Go through the plan once; of ``checks`` states of the network the best is kept.

    The rates rise in a line over the first tenth of the plan and fall in a line to nothing.
    """
    best, state = -1.0, network.state_dict()
    began = time.monotonic()
    every = max(len(plan) // max(checks, 1), 1)
    for step, some in enumerate(plan, start=1):
        set_rates(optimiser, (step - 1) / len(plan), _WARM_UP)
        _step(network.train(), optimiser, loss(some))
        left = (time.monotonic() - began) * (len(plan) / step - 1) / 60
        if step % every == 0:
            value = check()
            report(f"{name} {step}/{len(plan)} dev AP {value:.4f}, {left:.0f} min left")
            if value > best:
                best, state = value, {key: v.clone() for key, v in network.state_dict().items()}
        elif step % max(every // _SAID, 1) == 0:
            report(f"{name} {step}/{len(plan)}, {left:.0f} min left")
    network.load_state_dict(state)
    network.eval()


def _step(network: nn.Module, optimiser: torch.optim.Optimizer, lost: Tensor) -> None:
    lost.backward()
    nn.utils.clip_grad_norm_(network.parameters(), _CLIP)
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
