"""Where a network runs, and in what precision."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch

from corefbench.errors import UsageError

_KNOWN = ("cpu", "cuda", "mps")


def device_of(name: str = "auto") -> torch.device:
    """The device of a name; ``auto`` takes a graphics processor if CUDA finds one.

    >>> device_of("cpu").type
    'cpu'
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        made = torch.device(name)
        if made.type not in _KNOWN:
            raise RuntimeError(f"a device {made.type} is of no use here")
        torch.empty(0, device=made)
    except (RuntimeError, AssertionError) as error:
        # What torch was not built for it refuses by an assertion.
        raise UsageError(
            f"there is no device {name!r} here",
            found=str(error).splitlines()[0],
            expected="auto, cpu, cuda or cuda:NUMBER",
            remedy="device=cpu runs everywhere",
        ) from error
    return made


def half(device: torch.device) -> torch.dtype | None:
    """The half precision that a device has instructions for; None: it has none.

    Of CPUs those have them whose instructions multiply them; elsewhere they would only be slow.
    """
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    quick = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return torch.bfloat16 if device.type == "cpu" and quick else None


def precision(device: torch.device) -> AbstractContextManager[Any]:
    """What an encoder is trained in: mixed precision where the device has it."""
    kind = half(device)
    return nullcontext() if kind is None else torch.autocast(device.type, dtype=kind)
