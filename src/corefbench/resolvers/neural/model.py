"""The whole model: encoder, mention scorer, span encoder and antecedent ranker."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from corefbench.record import Record
from corefbench.resolvers.neural.antecedents import AntecedentRanker, SpanEncoder
from corefbench.resolvers.neural.dropout import Dropout
from corefbench.resolvers.neural.encoder import DEFAULT, Encoder
from corefbench.resolvers.neural.example import Example, Span
from corefbench.resolvers.neural.mentions import MentionScorer, allowed
from corefbench.resolvers.neural.pair_features import Mentions


class Shape(Record, frozen=True):
    """The choices that make a model; weights fit only a model of the same shape."""

    encoder: str = DEFAULT
    layers: int = 0
    """How many of the encoder's layers, from the lowest, are used; 0: all."""
    window: int = 384
    """Pieces that the encoder sees at once …"""
    window_in_use: int = 0
    """… and how many once it is trained, fewer being quicker; 0: as many."""
    schemes: tuple[str, ...] = ("litbank", "gum", "ontogum")
    """The schemes of annotation it was trained on; each has mentions of its own."""
    longest: int = 24
    """Words of a span, at most."""
    hidden: int = 192
    span: int = 256
    pair: int = 160
    most: int = 40
    """Candidates that are looked at closely."""
    share: float = 0.45
    """Mentions a word, at most."""
    dropout: float = 0.3


class Spans(Record, frozen=True):
    """The spans that stay in the running, in the order of the text."""

    start: np.ndarray
    last: np.ndarray
    """The last word of each."""
    probability: np.ndarray

    def list(self) -> list[Span]:
        """Half-open."""
        return list(zip(self.start.tolist(), (self.last + 1).tolist(), strict=True))


class Model(nn.Module):
    """What is trained."""

    def __init__(self, shape: Shape = Shape(), described: Path | None = None) -> None:
        """``described``: where the encoder is described, if its weights are still to be given."""
        super().__init__()
        self.shape = shape
        self.encoder = Encoder(
            shape.encoder if described is None else str(described),
            window=shape.window,
            layers=shape.layers,
            blank=described is not None,
        )
        width = self.encoder.width
        many = len(shape.schemes)
        self.dropout = Dropout(shape.dropout)
        self.mentions = MentionScorer(width, shape.hidden, shape.longest, many, shape.dropout)
        self.spans = SpanEncoder(width, shape.span, shape.longest, shape.dropout)
        self.scheme = nn.Embedding(many, shape.span)
        self.ranker = AntecedentRanker(shape.span, shape.pair, shape.most, shape.dropout)
        nn.init.zeros_(self.scheme.weight)

    def encode(self, example: Example) -> Tensor:
        """The vectors of the words."""
        windows = self.encoder.windows(example.words, example.sentences)
        vectors: Tensor = self.dropout(self.encoder(windows))
        return vectors

    def score_mentions(self, words: Tensor, example: Example, scheme: int) -> Tensor:
        """Logits of all spans, words × lengths."""
        sentence = torch.tensor(example.sentence_of_words(), device=words.device)
        inside = allowed(sentence, self.shape.longest)
        logits: Tensor = self.mentions(words, scheme).masked_fill(~inside, -1e4)
        return logits

    def prune(
        self,
        logits: Tensor,
        threshold: float,
        *,
        also: Sequence[Span] = (),
        most: int | None = None,
    ) -> Spans:
        """The spans above a probability, the best of them if there are too many.

        ``also`` are spans that stay in any case.
        """
        share = logits.detach().sigmoid()
        flat = share.flatten()
        most = max(1, int(self.shape.share * len(logits))) if most is None else most
        chosen = torch.nonzero(flat > threshold).flatten()
        if len(chosen) > most:
            chosen = chosen[flat[chosen].topk(most).indices]
        longest = self.shape.longest
        extra = [s * longest + e - s - 1 for s, e in also if e - s <= longest and e <= len(logits)]
        given = torch.tensor(extra, dtype=torch.long, device=logits.device)
        places = torch.cat([chosen, given]).unique()
        start, length = places // longest, places % longest
        # By where they begin, the longer first: as everywhere.
        order = torch.argsort(start * longest + (longest - 1 - length))
        places = places[order]
        return Spans(
            start=(places // longest).cpu().numpy(),
            last=(places // longest + places % longest).cpu().numpy(),
            probability=flat[places].float().cpu().numpy(),
        )

    def rank(
        self, words: Tensor, example: Example, spans: Spans, scheme: int
    ) -> tuple[Tensor, Tensor]:
        """For every span the numbers of its candidates, and scores with *none* before them."""
        start, last = (torch.from_numpy(n).to(words.device) for n in (spans.start, spans.last))
        vectors = self.spans(words, start, last) + self.scheme.weight[scheme]
        mentions = Mentions(example, spans.list())
        candidates = self.ranker.candidates(vectors, mentions)
        return candidates, self.ranker(vectors, candidates, mentions)
