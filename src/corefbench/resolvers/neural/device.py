"""Device and numeric precision of a network."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch

from corefbench.errors import UsageError

_DEVICE_TYPES = ("cpu", "cuda", "mps")


def select_device(name: str = "auto") -> torch.device:
    """Return a device by name; ``auto``: a GPU if CUDA finds one, else the CPU.

    >>> select_device("cpu").type
    'cpu'
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        if device.type not in _DEVICE_TYPES:
            raise RuntimeError(f"devices of type {device.type} are not supported")
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        # torch asserts that it was built for the device.
        raise UsageError(
            f"there is no device {name!r} here",
            found=str(error).splitlines()[0],
            expected="auto, cpu, cuda or cuda:NUMBER",
            remedy="device=cpu works everywhere",
        ) from error
    return device


def half_precision_type(device: torch.device) -> torch.dtype | None:
    """Return the half-precision type that a device multiplies natively; None: it has none.

    On CPUs without such instructions half precision would only be slower.
    """
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    native = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return torch.bfloat16 if device.type == "cpu" and native else None


def mixed_precision(device: torch.device) -> AbstractContextManager[Any]:
    """Return a context of mixed precision, if the device supports it."""
    kind = half_precision_type(device)
    return nullcontext() if kind is None else torch.autocast(device.type, dtype=kind)
