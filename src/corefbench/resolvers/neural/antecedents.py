"""Which mention before it, if any, a mention takes up: coarse to fine (Lee et al. 2018).

A bilinear score, and a weight for how near the two are and whether they have a word in common,
picks the most promising mentions before each; a small network then looks at the pair: both
representations, their product, and what is known of the pair.

    a(i, j) = gᵢᵀ C gⱼ + nᵢⱼ + f(gᵢ, gⱼ, gᵢ∘gⱼ, φᵢⱼ),    a(i, none) = 0
"""

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from corefbench.resolvers.neural.dropout import Dropout
from corefbench.resolvers.neural.pair_features import FAR, NEARNESS, SIZES, Mentions

_NEVER = -1e4


class SpanEncoder(nn.Module):
    """A span as the words at its ends, the words it is about, and its length."""

    def __init__(self, width: int, size: int, longest: int, dropout: float) -> None:
        super().__init__()
        self.longest = longest
        self.attention = nn.Linear(width, 1)
        self.length = nn.Embedding(longest, 32)
        self.project = nn.Linear(3 * width + 32, size)
        self.dropout = Dropout(dropout)

    def forward(self, words: Tensor, start: Tensor, last: Tensor) -> Tensor:
        """``last`` is the last word of each span."""
        weight = self.attention(words).squeeze(1)
        # Spans of like length together: most are short, and need not be as wide as the longest.
        order = (last - start).argsort(stable=True)
        some = zip(start[order].split(_SPANS), last[order].split(_SPANS), strict=True)
        content = torch.cat([self._content(words, weight, *ends) for ends in some])
        content = content[order.argsort()]
        length = self.length((last - start).clamp(max=self.longest - 1))
        joined = torch.cat([words[start], words[last], content, length], dim=1)
        made: Tensor = self.dropout(functional.gelu(self.project(joined)))
        return made

    def _content(self, words: Tensor, weight: Tensor, start: Tensor, last: Tensor) -> Tensor:
        """The mean of the words of each span, by their weights."""
        wide = min(max((last - start).tolist(), default=0) + 1, self.longest)
        inside = start[:, None] + torch.arange(wide, device=words.device)
        outside = inside > last[:, None]
        inside = inside.clamp(max=len(words) - 1)
        share = weight[inside].masked_fill(outside, _NEVER).softmax(1)
        return (share[:, None] @ words[inside]).squeeze(1)


class AntecedentRanker(nn.Module):
    """Scores of the most promising antecedents of every mention."""

    def __init__(self, size: int, hidden: int, most: int, dropout: float) -> None:
        super().__init__()
        self.most = most
        self.coarse = nn.Linear(size, size)
        self.nearness = nn.Parameter(torch.tensor(NEARNESS))
        self.left = nn.Linear(size, hidden)
        self.right = nn.Linear(size, hidden, bias=False)
        self.product = nn.Linear(size, hidden, bias=False)
        self.features = nn.EmbeddingBag(sum(SIZES), hidden, mode="sum")
        self.score = nn.Sequential(
            nn.GELU(),
            Dropout(dropout),
            nn.Linear(hidden, hidden),
            nn.GELU(),
            nn.Linear(hidden, 1),
        )
        nn.init.normal_(self.features.weight, std=0.02)

    @torch.no_grad()
    def candidates(self, spans: Tensor, mentions: Mentions) -> Tensor:
        """For every mention the numbers of its candidates, the best before the others.

        The first mentions have too few before them: what is filled in comes after the mention.
        """
        count = len(spans)
        place = torch.arange(count, device=spans.device)
        found = []
        for rows in place.split(max(1, min(_ROWS, _PAIRS // max(count, 1)))):
            first, end = int(rows[0]), int(rows[-1]) + 1
            scores = self.coarse(spans[rows]) @ spans[:end].T / spans.shape[1] ** 0.5
            scores = scores + self._nearness(mentions, first, end)
            scores = scores.masked_fill(place[:end] >= rows[:, None], _NEVER)
            best = scores.topk(min(self.most, end), dim=1).indices
            wide = min(self.most, count) - best.shape[1]
            found.append(functional.pad(best, (0, wide), value=count - 1))
        return torch.cat(found)

    def _nearness(self, mentions: Mentions, first: int, end: int) -> Tensor:
        """The weights of the mentions from ``first`` with all before ``end``.

        Far away, which is nearly all of a book, they depend on nothing but what is the same.
        """
        device = self.nearness.device
        rows, far = np.arange(first, end)[:, None], max(0, first - FAR)
        near = mentions.nearness(rows, np.arange(far, end))
        close = self.nearness[torch.from_numpy(near).to(device)]
        if not far:
            return close
        one, two, three = self.nearness[torch.from_numpy(mentions.far(rows)).to(device)].unbind(-1)
        head, form = (torch.from_numpy(n).to(device) for n in (mentions.head, mentions.form))
        same_head, same_form = (n[first:end, None] == n[:far] for n in (head, form))
        away = torch.where(same_head | same_form, two, one)
        away = torch.where(same_head & same_form, three, away)
        return torch.cat([away, close], dim=1)

    def forward(self, spans: Tensor, candidates: Tensor, mentions: Mentions) -> Tensor:
        """Mentions × (1 + candidates): first the score of having no antecedent, which is 0."""
        place = torch.arange(len(spans), device=spans.device)
        right = self.right(spans)
        blocks = [
            self._scores(spans, right, rows, candidates[rows], mentions)
            for rows in place.split(_ROWS)
        ]
        scores = torch.cat(blocks)
        after = candidates >= place[:, None]
        return functional.pad(scores.masked_fill(after, _NEVER), (1, 0))

    def _scores(
        self, spans: Tensor, right: Tensor, rows: Tensor, candidates: Tensor, mentions: Mentions
    ) -> Tensor:
        one, two = rows[:, None].cpu().numpy(), candidates.cpu().numpy()
        own, other = spans[rows][:, None], spans[candidates]
        near = torch.from_numpy(mentions.nearness(one, two)).to(spans.device)
        coarse = (self.coarse(own) * other).sum(-1) / spans.shape[1] ** 0.5 + self.nearness[near]
        known = torch.from_numpy(mentions.features(one, two)).flatten(0, 1).to(spans.device)
        hidden = self.left(own) + right[candidates] + self.product(own * other)
        hidden = hidden + self.features(known).view_as(hidden)
        scored: Tensor = coarse + self.score(hidden).squeeze(-1)
        return scored


_ROWS = 256
"""Mentions that are ranked at once, so that memory stays bounded in a book …"""
_PAIRS = 1 << 25
"""… and pairs of mentions that are looked at from afar at once."""
_SPANS = 256
"""Spans whose words are gathered at once."""
