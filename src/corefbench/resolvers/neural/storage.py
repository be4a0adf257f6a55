"""A trained model as a small checkpoint that needs nothing else: its encoder is in it.

Matrices of the encoder are kept as whole numbers of six bits, up to 64 neighbours of a row with a
scale of their own, so that a weight that stands out does not blur the others; all else in half
precision. What the encoder is, and its tokeniser, are described in a folder beside.

    w ≈ s · q,    q ∈ {−31 … 31},   s = max |w| ÷ 31
"""

from collections.abc import Mapping
from functools import lru_cache
from math import gcd
from pathlib import Path

import msgspec
import numpy as np
import torch

from corefbench.engine.memory import keep_memory
from corefbench.errors import UsageError
from corefbench.resolvers.learned.checkpoint import ModelCard, load_model, save_model
from corefbench.resolvers.neural.device import device_of, half
from corefbench.resolvers.neural.integers import in_integers, integers_are_quick
from corefbench.resolvers.neural.model import Model, Shape

ENCODER = "encoder"
"""The folder that describes the encoder, and what its weights' names begin with."""
_CODES, _SCALE = ".codes", ".scale"
_NEIGHBOURS = 64
_GREATEST = 31
"""Of six bits, a byte each: an archive packs them into fewer. Unrounded ones score no more."""


def save(model: Model, folder: Path, card: ModelCard) -> None:
    """Write everything."""
    model.encoder.describe(folder / ENCODER)
    arrays: dict[str, np.ndarray] = {}
    for name, value in model.state_dict().items():
        if name.startswith(f"{ENCODER}.") and value.ndim > 1:
            arrays |= _coded(name, value.float().cpu().numpy())
        else:
            arrays[name] = value.half().cpu().numpy()
    save_model(folder, card, arrays)


def loaded(folder: Path, device: str = "auto") -> tuple[ModelCard, Model]:
    """A model ready to resolve, read once a process as long as its files do not change."""
    changed = tuple(path.stat().st_mtime_ns for path in sorted(folder.glob("*.*")))
    return _kept(folder.resolve(), changed, device_of(device))


@lru_cache(maxsize=4)
def _kept(folder: Path, changed: tuple[int, ...], device: torch.device) -> tuple[ModelCard, Model]:
    card, model = load(folder)
    if integers_are_quick(device):
        keep_memory()
        in_integers(model.encoder.model)
        model.encoder.batch = 1
    else:
        model.encoder.model.to(half(device))
    return card, model.to(device)


def load(folder: Path) -> tuple[ModelCard, Model]:
    """A model fresh from its files."""
    card, arrays = load_model(folder)
    if card.kind != "neural":
        raise UsageError("this model is of another kind", found=card.kind, expected="neural")
    shape = msgspec.convert(card.config["shape"], Shape)
    model = Model(shape, folder / ENCODER)
    model.encoder.window = shape.window_in_use or shape.window
    model.load_state_dict({name: _weight(arrays, name) for name in model.state_dict()}, assign=True)
    return card, model.eval()


def _coded(name: str, weight: np.ndarray) -> dict[str, np.ndarray]:
    together = weight.reshape(len(weight), -1, gcd(weight.shape[1], _NEIGHBOURS))
    scale = (np.abs(together).max(axis=2, keepdims=True) / _GREATEST).astype(np.float16)
    scale = np.maximum(scale, np.finfo(np.float16).tiny)
    codes = np.rint(together / scale.astype(np.float32)).clip(-_GREATEST, _GREATEST)
    return {name + _CODES: codes.astype(np.int8), name + _SCALE: scale}


def _weight(arrays: Mapping[str, np.ndarray], name: str) -> torch.Tensor:
    if name in arrays:
        return torch.from_numpy(arrays[name].astype(np.float32))
    codes, scale = (torch.from_numpy(arrays[name + kind]) for kind in (_CODES, _SCALE))
    return codes.float().mul_(scale.float()).flatten(1)
