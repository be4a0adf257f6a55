"""The linear maps of a network in int8: twice as quick on a CPU.

Every row of the input, a piece, has a scale of its own, and so has every row of the weights, so
that a number that stands out blurs only its own row:

    y = sₓ · s_w · (qₓ · q_w) + b,    qₓ ∈ {−127 … 127},   q_w ∈ {−63 … 63}

Weights have seven bits because processors without instructions for the whole sum (VNNI) add two
products in sixteen bits: 2 · 255 · 63 < 2¹⁵, so that nothing is cut off and all give the same.
"""

import torch
from torch import Tensor, nn

_INPUT, _WEIGHT = 127, 63
_MIDDLE = 128
"""What an input of 0 is stored as: the kernels want inputs without a sign."""
_TINY = 1e-12


def integers_are_quick(device: torch.device) -> bool:
    """Whether a device has kernels for them: x86 processors with AVX2 or more, by oneDNN."""
    vectors = torch.backends.cpu.get_cpu_capability().startswith("AVX")
    return device.type == "cpu" and vectors and torch.backends.mkldnn.is_available()


def in_integers(network: nn.Module) -> None:
    """Exchange all linear maps of a network; it can no longer learn."""
    for name, part in list(network.named_children()):
        if isinstance(part, nn.Linear):
            setattr(network, name, IntegerLinear(part))
        else:
            in_integers(part)


class IntegerLinear(nn.Module):
    """Takes the place of a linear map."""

    def __init__(self, exact: nn.Linear) -> None:
        super().__init__()
        weight = exact.weight.detach().float()
        self._scale = (weight.abs().amax(1) / _WEIGHT).clamp(min=_TINY)
        codes = (weight / self._scale[:, None]).round().to(torch.int8)
        self._weight = torch.ops.onednn.qlinear_prepack(codes, None)
        self._zero = torch.zeros(len(weight), dtype=torch.int32)
        none = torch.zeros(len(weight))
        self._bias = none if exact.bias is None else exact.bias.detach().float()

    def forward(self, given: Tensor) -> Tensor:
        """Of float32, to float32."""
        rows = given.flatten(0, -2)
        most = torch.maximum(rows.amax(1, keepdim=True), -rows.amin(1, keepdim=True))
        scale = most.clamp_(min=_TINY).div_(_INPUT)
        signed = (rows * scale.reciprocal()).round_().to(torch.int8)
        codes = signed.view(torch.uint8).add_(_MIDDLE)
        summed = torch.ops.onednn.qlinear_pointwise(
            codes, 1.0, _MIDDLE, self._weight, self._scale, self._zero, None,
            1.0, 0, torch.float32, "none", [], "",
        )  # fmt: skip
        made: Tensor = torch.addcmul(self._bias, summed, scale).unflatten(0, given.shape[:-1])
        return made
