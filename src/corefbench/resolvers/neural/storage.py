"""A trained model as a small checkpoint: heads in half precision, the encoder as a difference.

The encoder's weights are installed with their own package; what training changed of them is kept as
eight-bit numbers, each row of a matrix with a scale of its own. Embeddings were not changed.

    w ≈ w₀ + s · q,    q ∈ {−127 … 127},   s = max |w − w₀| ÷ 127
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np
import torch

from corefbench.errors import UsageError
from corefbench.resolvers.learned.checkpoint import ModelCard, load_model, save_model
from corefbench.resolvers.neural.device import device_of
from corefbench.resolvers.neural.model import Model, Shape

_ENCODER = "encoder."


def save(model: Model, folder: Path, card: ModelCard) -> None:
    """Write the difference to the encoder as it is installed, and all else."""
    base = Model(model.shape).state_dict()
    arrays: dict[str, np.ndarray] = {}
    for name, value in model.state_dict().items():
        if not name.startswith(_ENCODER):
            arrays[name] = value.half().cpu().numpy()
            continue
        change = (value.cpu() - base[name]).float().numpy()
        if change.any():
            arrays |= _quantised(name, change)
    save_model(folder, card, arrays)


def loaded(folder: Path, device: str = "auto") -> tuple[ModelCard, Model]:
    """A model ready to resolve, read once a process as long as its files do not change."""
    changed = tuple(path.stat().st_mtime_ns for path in sorted(folder.glob("*.*")))
    return _kept(folder.resolve(), changed, device_of(device))


@lru_cache(maxsize=4)
def _kept(folder: Path, changed: tuple[int, ...], device: torch.device) -> tuple[ModelCard, Model]:
    card, model = load(folder)
    return card, model.to(device)


def load(folder: Path) -> tuple[ModelCard, Model]:
    """A model fresh from its files."""
    card, arrays = load_model(folder)
    if card.kind != "neural":
        raise UsageError("this model is of another kind", found=card.kind, expected="neural")
    model = Model(msgspec.convert(card.config["shape"], Shape))
    state = model.state_dict()
    for name, value in state.items():
        state[name] = (
            value + _change(arrays, name) if name.startswith(_ENCODER) else _head(arrays, name)
        )
    model.load_state_dict(state)
    return card, model.eval()


def _quantised(name: str, change: np.ndarray) -> dict[str, np.ndarray]:
    rows = change.reshape(len(change), -1) if change.ndim > 1 else change[None, :]
    scale = np.abs(rows).max(axis=1, keepdims=True) / 127
    codes = np.rint(np.divide(rows, scale, out=np.zeros_like(rows), where=scale > 0))
    return {f"{name}.change": codes.astype(np.int8), f"{name}.scale": scale.astype(np.float32)}


def _change(arrays: Mapping[str, np.ndarray], name: str) -> torch.Tensor | float:
    if f"{name}.change" not in arrays:
        return 0.0
    change = arrays[f"{name}.change"].astype(np.float32) * arrays[f"{name}.scale"]
    return torch.from_numpy(change if len(change) > 1 else change[0])


def _head(arrays: Mapping[str, np.ndarray], name: str) -> torch.Tensor:
    return torch.from_numpy(arrays[name].astype(np.float32))
