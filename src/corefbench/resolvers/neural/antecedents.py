"""Which mention before it, if any, a mention takes up: coarse to fine (Lee et al. 2018).

A bilinear score picks the most promising mentions before each; a small network then looks at the
pair: both representations, their product, and what is known of the pair.

    a(i, j) = gᵢᵀ C gⱼ + f(gᵢ, gⱼ, gᵢ∘gⱼ, φᵢⱼ),    a(i, none) = 0
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

_NEVER = -1e4


class SpanEncoder(nn.Module):
    """A span as the words at its ends, the words it is about, and its length."""

    def __init__(self, width: int, size: int, longest: int, dropout: float) -> None:
        super().__init__()
        self.longest = longest
        self.attention = nn.Linear(width, 1)
        self.length = nn.Embedding(longest, 32)
        self.project = nn.Linear(3 * width + 32, size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, words: Tensor, start: Tensor, last: Tensor) -> Tensor:
        """``last`` is the last word of each span."""
        inside = start[:, None] + torch.arange(self.longest)
        outside = inside > last[:, None]
        inside = inside.clamp(max=len(words) - 1)
        weight = self.attention(words).squeeze(1)[inside].masked_fill(outside, _NEVER)
        content = (weight.softmax(1)[:, :, None] * words[inside]).sum(1)
        length = self.length((last - start).clamp(max=self.longest - 1))
        joined = torch.cat([words[start], words[last], content, length], dim=1)
        made: Tensor = self.dropout(functional.gelu(self.project(joined)))
        return made


class AntecedentRanker(nn.Module):
    """Scores of the most promising antecedents of every mention."""

    def __init__(self, size: int, features: tuple[int, ...], most: int, dropout: float) -> None:
        super().__init__()
        self.most = most
        self.coarse = nn.Linear(size, size)
        self.left = nn.Linear(size, size)
        self.right = nn.Linear(size, size, bias=False)
        self.product = nn.Linear(size, size, bias=False)
        self.features = nn.ModuleList(_embedding(values, size) for values in features)
        self.score = nn.Sequential(
            nn.GELU(), nn.Dropout(dropout), nn.Linear(size, size), nn.GELU(), nn.Linear(size, 1)
        )

    def candidates(self, spans: Tensor) -> tuple[Tensor, Tensor]:
        """For every mention the numbers of the candidates and their coarse scores."""
        count = len(spans)
        scores = self.coarse(spans) @ spans.T / spans.shape[1] ** 0.5
        before = torch.ones(count, count, dtype=torch.bool).tril(-1)
        scores = scores.masked_fill(~before, _NEVER)
        found = scores.topk(min(self.most, count), dim=1)
        return found.indices, found.values

    def forward(
        self, spans: Tensor, candidates: Tensor, coarse: Tensor, features: Tensor
    ) -> Tensor:
        """Mentions × (1 + candidates): first the score of having no antecedent, which is 0."""
        other = spans[candidates]
        hidden = self.left(spans)[:, None] + self.right(spans)[candidates]
        hidden = hidden + self.product(spans[:, None] * other)
        for number, embedding in enumerate(self.features):
            hidden = hidden + embedding(features[..., number])
        fine = self.score(hidden).squeeze(-1)
        scores = (coarse + fine).masked_fill(coarse <= _NEVER / 2, _NEVER)
        return torch.cat([scores.new_zeros(len(spans), 1), scores], dim=1)


def _embedding(values: int, size: int) -> nn.Embedding:
    made = nn.Embedding(values, size)
    nn.init.normal_(made.weight, std=0.02)
    return made
