"""Dropout drawn a byte a number: a CPU draws eight at once, where torch draws one.

y = x · m · 256 ÷ (256 − d),    m = 0 with probability d ÷ 256, else 1,    d = ⌊256 p + ½⌋
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

_VALUES = 256
_LEAST = -(2**63)


class Dropout(nn.Dropout):
    """Takes the place of torch's; the share is that which is nearest among 256ths."""

    def forward(self, given: Tensor) -> Tensor:
        """As given, unless it is learned from."""
        dropped = round(_VALUES * self.p)
        if not (self.training and dropped):
            return given
        if given.device.type != "cpu" or dropped == _VALUES:
            return functional.dropout(given, self.p)
        drawn = torch.empty(-(-given.numel() // 8), dtype=torch.long).random_(_LEAST, None)
        kept = drawn.view(torch.uint8)[: given.numel()].view(given.shape) >= dropped
        return given * kept.to(given.dtype).mul_(_VALUES / (_VALUES - dropped))
