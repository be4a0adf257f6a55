"""Where training stands, on disk, so that it goes on after a kill as if nothing had happened.

Weights, both moments of the optimiser and the state of the random numbers are arrays in one
safetensors file; the counters are beside them in its header.
"""

import os
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch import nn

from corefbench.record import Record

_FILE = "state.safetensors"


class Progress(Record, frozen=True):
    """How far training has come."""

    epoch: int = 0
    step: int = 0
    """Documents of the epoch that were seen."""
    best: float = -1.0
    """The best score on development data so far …"""
    best_epoch: int = 0
    """… and the epoch it was reached in; 0: none yet."""
    history: tuple[dict[str, float], ...] = ()
    config: str = ""
    """A hash of the configuration: training goes on only with the same."""


def save_state(
    folder: Path, model: nn.Module, optimiser: torch.optim.Optimizer, at: Progress
) -> None:
    """Write all of it; the file is there whole or not at all."""
    from safetensors.torch import save_file

    arrays: dict[str, torch.Tensor] = {"random": torch.get_rng_state()}
    arrays |= {f"model.{name}": value for name, value in model.state_dict().items()}
    for number, parameter in enumerate(_parameters(optimiser)):
        for name, value in optimiser.state.get(parameter, {}).items():
            arrays[f"optimiser.{number}.{name}"] = torch.as_tensor(value)
    folder.mkdir(parents=True, exist_ok=True)
    partly = folder / (_FILE + ".partly")
    header = {"progress": msgspec.json.encode(at).decode()}
    save_file({k: v.detach().contiguous().clone() for k, v in arrays.items()}, partly, header)
    os.replace(partly, folder / _FILE)


def load_state(
    folder: Path, model: nn.Module, optimiser: torch.optim.Optimizer, config: str
) -> Progress:
    """Go on from where the folder stands; from the beginning where it has nothing of this kind."""
    from safetensors import safe_open

    path = folder / _FILE
    if not path.exists():
        return Progress(config=config)
    with safe_open(path, framework="pt") as stored:
        at = msgspec.json.decode(stored.metadata()["progress"], type=Progress)
        if at.config != config:
            return Progress(config=config)
        arrays = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118
    model.load_state_dict(
        {name.removeprefix("model."): v for name, v in arrays.items() if name.startswith("model.")}
    )
    for number, parameter in enumerate(_parameters(optimiser)):
        prefix = f"optimiser.{number}."
        optimiser.state[parameter] = {
            # The optimiser counts its steps on the CPU, wherever the weights are.
            name.removeprefix(prefix): v if name.endswith(".step") else v.to(parameter.device)
            for name, v in arrays.items()
            if name.startswith(prefix)
        }
    torch.set_rng_state(arrays["random"])
    return at


def _parameters(optimiser: torch.optim.Optimizer) -> list[Any]:
    return [parameter for group in optimiser.param_groups for parameter in group["params"]]
