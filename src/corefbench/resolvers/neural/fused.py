"""MPNet's layers with quicker attention than transformers has for it: half the time of a step.

What is added to the scores for the distance of two pieces is the same in all layers, so it is made
once, together with the mask; it is not trained.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers.modeling_outputs import BaseModelOutput


class FusedLayers(nn.Module):
    """Takes the place of MPNet's ``encoder``; its weights keep their names."""

    def __init__(self, spelt_out: Any) -> None:
        super().__init__()
        self.layer = spelt_out.layer
        self.relative_attention_bias = spelt_out.relative_attention_bias.requires_grad_(False)
        self._distances = spelt_out.compute_position_bias

    def forward(
        self, hidden: Tensor, attention_mask: Tensor | None = None, **_: Any
    ) -> BaseModelOutput:
        """The vectors of the last layer; no mask: all pieces count."""
        kind = (
            torch.get_autocast_dtype(hidden.device.type)
            if torch.is_autocast_enabled(hidden.device.type)
            else hidden.dtype
        )
        with torch.no_grad():
            added = self._distances(hidden[:1])
            added = (added if attention_mask is None else added + attention_mask).to(kind)
        made: Any = hidden
        for layer in self.layer:
            made = _layer(layer, made, added)
        return BaseModelOutput(last_hidden_state=made)


def _layer(layer: Any, hidden: Tensor, added: Tensor) -> Tensor:
    around, attention = layer.attention, layer.attention.attn
    query, key, value = (
        part(hidden).unflatten(2, (attention.num_attention_heads, -1)).transpose(1, 2)
        for part in (attention.q, attention.k, attention.v)
    )
    seen = attention.o(_attend(query, key, value, added).transpose(1, 2).flatten(2))
    hidden = around.LayerNorm(around.dropout(seen) + hidden)
    made: Tensor = layer.output(layer.intermediate(hidden), hidden)
    return made


def _attend(query: Tensor, key: Tensor, value: Tensor, added: Tensor) -> Tensor:
    """Fused to learn; to use, a CPU is quicker with one product after the other."""
    if torch.is_grad_enabled() or query.device.type != "cpu":
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=added)
    scores = (query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2)
    scores += added
    seen: Tensor = scores.softmax(-1) @ value
    return seen
