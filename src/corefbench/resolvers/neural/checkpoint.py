"""Save and load quantized checkpoints.

Matrices of the encoder are stored as six-bit integers with one scale per block of 64 weights, so
that an outlier affects only its block; everything else in half precision. Configuration and
tokenizer of the encoder are in a subfolder.

    w ≈ s · q,    q ∈ {−31 … 31},   s = max |w| ÷ 31
"""

from collections.abc import Mapping
from functools import lru_cache
from math import gcd
from pathlib import Path

import msgspec
import numpy as np
import torch

from corefbench.errors import UsageError
from corefbench.resolvers.checkpoint import ModelCard, load_model, save_model
from corefbench.resolvers.neural.device import half_precision_type, select_device
from corefbench.resolvers.neural.layers import has_int8_kernels, quantize_linear_layers
from corefbench.resolvers.neural.model import CoreferenceModel, ModelConfig

ENCODER = "encoder"
"""Subfolder of the encoder's description, and prefix of its weights."""
_CODES, _SCALE = ".codes", ".scale"
_BLOCK_SIZE = 64
_MAX_CODE = 31
"""Six bits, stored as bytes, which archives compress. Full precision does not score higher."""


def save_checkpoint(model: CoreferenceModel, folder: Path, card: ModelCard) -> None:
    """Write a checkpoint."""
    model.encoder.describe(folder / ENCODER)
    arrays: dict[str, np.ndarray] = {}
    for name, value in model.state_dict().items():
        if name.startswith(f"{ENCODER}.") and value.ndim > 1:
            arrays |= _quantize(name, value.float().cpu().numpy())
        else:
            arrays[name] = value.half().cpu().numpy()
    save_model(folder, card, arrays)


def load_cached(folder: Path, device: str = "auto") -> tuple[ModelCard, CoreferenceModel]:
    """Load a model for inference, once per process as long as its files do not change."""
    changed = tuple(path.stat().st_mtime_ns for path in sorted(folder.glob("*.*")))
    return _load_for_inference(folder.resolve(), changed, select_device(device))


@lru_cache(maxsize=4)
def _load_for_inference(
    folder: Path, changed: tuple[int, ...], device: torch.device
) -> tuple[ModelCard, CoreferenceModel]:
    card, model = load_checkpoint(folder)
    if has_int8_kernels(device):
        quantize_linear_layers(model.encoder.model)
        model.encoder.batch = 1
    else:
        model.encoder.model.to(half_precision_type(device))
    return card, model.to(device)


def load_checkpoint(folder: Path) -> tuple[ModelCard, CoreferenceModel]:
    """Load a model in full precision."""
    card, arrays = load_model(folder)
    if card.kind != "neural":
        raise UsageError("this model is of another kind", found=card.kind, expected="neural")
    shape = msgspec.convert(card.config["shape"], ModelConfig)
    model = CoreferenceModel(shape, folder / ENCODER)
    model.encoder.window = shape.window_in_use or shape.window
    model.load_state_dict({name: _dequantize(arrays, name) for name in model.state_dict()}, assign=True)
    return card, model.eval()


def _quantize(name: str, weight: np.ndarray) -> dict[str, np.ndarray]:
    together = weight.reshape(len(weight), -1, gcd(weight.shape[1], _BLOCK_SIZE))
    scale = (np.abs(together).max(axis=2, keepdims=True) / _MAX_CODE).astype(np.float16)
    scale = np.maximum(scale, np.finfo(np.float16).tiny)
    codes = np.rint(together / scale.astype(np.float32)).clip(-_MAX_CODE, _MAX_CODE)
    return {name + _CODES: codes.astype(np.int8), name + _SCALE: scale}


def _dequantize(arrays: Mapping[str, np.ndarray], name: str) -> torch.Tensor:
    if name in arrays:
        return torch.from_numpy(arrays[name].astype(np.float32))
    codes, scale = (torch.from_numpy(arrays[name + kind]) for kind in (_CODES, _SCALE))
    return codes.float().mul_(scale.float()).flatten(1)
