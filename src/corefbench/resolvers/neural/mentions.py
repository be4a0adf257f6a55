"""Which spans are mentions: every span of a sentence up to some length, scored by its ends.

    s(i, j) = a·sᵢ + b·eⱼ + sᵢᵀ B eⱼ + w(j − i)

with one representation of a word as the first of a span and one as the last (Kirstain et al. 2021).
All spans that begin at a word are scored at once, as a band beside the diagonal.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from corefbench.resolvers.neural.dropout import Dropout


class MentionScorer(nn.Module):
    """Logits of all spans of up to ``longest`` words."""

    def __init__(self, width: int, hidden: int, longest: int, schemes: int, dropout: float) -> None:
        super().__init__()
        self.longest = longest
        self.begin = nn.Linear(width, hidden)
        self.finish = nn.Linear(width, hidden)
        self.scheme = nn.Embedding(schemes, 2 * hidden)
        self.one = nn.Linear(hidden, 1)
        self.other = nn.Linear(hidden, 1, bias=False)
        self.both = nn.Linear(hidden, hidden, bias=False)
        self.length = nn.Embedding(longest, 1)
        self.dropout = Dropout(dropout)
        nn.init.zeros_(self.scheme.weight)
        nn.init.zeros_(self.length.weight)

    def forward(self, words: Tensor, scheme: int) -> Tensor:
        """Words × lengths; what reaches past the end of the document is very unlikely."""
        of_begin, of_finish = self.scheme.weight[scheme].chunk(2)
        begin = self.dropout(functional.gelu(self.begin(words) + of_begin))
        finish = self.dropout(functional.gelu(self.finish(words) + of_finish))
        padded = functional.pad(finish, (0, 0, 0, self.longest - 1))
        band = padded.unfold(0, self.longest, 1)
        # The band is a view of which a product makes a copy: in a book, one of gigabytes.
        rows = zip(self.both(begin).split(_ROWS), band.split(_ROWS), strict=True)
        scores = torch.cat([torch.einsum("nh,nhl->nl", *some) for some in rows])
        last = functional.pad(self.other(finish), (0, 0, 0, self.longest - 1)).squeeze(1)
        scores = scores + self.one(begin) + last.unfold(0, self.longest, 1)
        scored: Tensor = scores + self.length.weight.T
        return scored


_ROWS = 512
"""Words whose spans are scored at once."""


def allowed(sentence: Tensor, longest: int) -> Tensor:
    """Words × lengths: which spans stay inside one sentence."""
    padded = functional.pad(sentence, (0, longest - 1), value=-1)
    return padded.unfold(0, longest, 1) == sentence[:, None]
