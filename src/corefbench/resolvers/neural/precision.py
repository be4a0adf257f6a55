"""Devices and numeric precision of networks, and layers that are fast on a CPU."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

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


_BYTE_VALUES = 256
_MIN_INT64 = -(2**63)
_INPUT_MAX, _WEIGHT_MAX = 127, 63
_ZERO_POINT = 128
"""Code of an input of 0: the kernels want unsigned inputs."""
_TINY = 1e-12


class Dropout(nn.Dropout):
    """Dropout with one random byte per number: torch draws eight bytes on a CPU.

    y = x · m · 256 ÷ (256 − d),    m = 0 with probability d ÷ 256, else 1,    d = ⌊256 p + ½⌋
    """

    def forward(self, x: Tensor) -> Tensor:
        """Drop numbers in training, with the probability rounded to 256ths."""
        dropped = round(_BYTE_VALUES * self.p)
        if not (self.training and dropped):
            return x
        if x.device.type != "cpu" or dropped == _BYTE_VALUES:
            return functional.dropout(x, self.p)
        drawn = torch.empty(-(-x.numel() // 8), dtype=torch.long).random_(_MIN_INT64, None)
        kept = drawn.view(torch.uint8)[: x.numel()].view(x.shape) >= dropped
        return x * kept.to(x.dtype).mul_(_BYTE_VALUES / (_BYTE_VALUES - dropped))


class Int8Linear(nn.Module):
    """A linear layer in int8: twice as fast on a CPU; cannot be trained.

    Every row of the input (a word piece) and every row of the weights has a scale of its own, so
    that an outlier affects only its own row:

        y = sₓ · s_w · (qₓ · q_w) + b,    qₓ ∈ {−127 … 127},   q_w ∈ {−63 … 63}

    Weights have seven bits because processors without VNNI add two products in sixteen bits:
    2 · 255 · 63 < 2¹⁵, so nothing saturates and all processors give the same result.
    """

    def __init__(self, exact: nn.Linear) -> None:
        super().__init__()
        weight = exact.weight.detach().float()
        self._scale = (weight.abs().amax(1) / _WEIGHT_MAX).clamp(min=_TINY)
        codes = (weight / self._scale[:, None]).round().to(torch.int8)
        self._weight = torch.ops.onednn.qlinear_prepack(codes, None)
        self._zero = torch.zeros(len(weight), dtype=torch.int32)
        no_bias = torch.zeros(len(weight))
        self._bias = no_bias if exact.bias is None else exact.bias.detach().float()

    def forward(self, x: Tensor) -> Tensor:
        """Map float32 to float32."""
        rows = x.flatten(0, -2)
        largest = torch.maximum(rows.amax(1, keepdim=True), -rows.amin(1, keepdim=True))
        scale = largest.clamp_(min=_TINY).div_(_INPUT_MAX)
        signed = (rows * scale.reciprocal()).round_().to(torch.int8)
        codes = signed.view(torch.uint8).add_(_ZERO_POINT)
        summed = torch.ops.onednn.qlinear_pointwise(
            codes, 1.0, _ZERO_POINT, self._weight, self._scale, self._zero, None,
            1.0, 0, torch.float32, "none", [], "",
        )  # fmt: skip
        y: Tensor = torch.addcmul(self._bias, summed, scale).unflatten(0, x.shape[:-1])
        return y


def has_int8_kernels(device: torch.device) -> bool:
    """Return whether int8 is fast: on x86 processors with AVX2 or more, by oneDNN."""
    has_avx = torch.backends.cpu.get_cpu_capability().startswith("AVX")
    return device.type == "cpu" and has_avx and torch.backends.mkldnn.is_available()


def quantize_linear_layers(network: nn.Module) -> None:
    """Replace all linear layers of a network by int8 layers."""
    for name, part in list(network.named_children()):
        if isinstance(part, nn.Linear):
            setattr(network, name, Int8Linear(part))
        else:
            quantize_linear_layers(part)
