"""Finds mentions: every span of up to ten words in a sentence, scored for each kind of mention.

The vector of a span is that of its first and its last word, the mean over its words, and its
length (Cattan et al. 2021 weigh the words instead); words are those of the encoder, which learns
with it, beside tag and relation of the pre-processing.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from corefbench.record import Columns, Longs, Record
from corefbench.resolvers.across.words import Words
from corefbench.resolvers.neural.encoder import DEFAULT, Encoder
from corefbench.resolvers.neural.windows import Window

KINDS = ("event", "entity")


class DetectorShape(Record, frozen=True):
    """What has to be known to make the network."""

    encoder: str = DEFAULT
    tags: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    kinds: tuple[str, ...] = KINDS
    hidden: int = 256
    longest: int = 10
    """Words of the longest mention that can be found."""
    dropout: float = 0.2


class Sentence(Columns, frozen=True, eq=False):
    """A sentence as the detector takes it."""

    first: int
    """Its first token, counted over the corpus."""
    windows: tuple[Window, ...]
    tags: Longs
    relations: Longs

    def __len__(self) -> int:
        return len(self.tags)


class Detector(nn.Module):
    """Scores spans."""

    def __init__(self, shape: DetectorShape) -> None:
        super().__init__()
        self.shape = shape
        self.encoder = Encoder(shape.encoder)
        self.tag = nn.Embedding(len(shape.tags) + 1, _SMALL)
        self.relation = nn.Embedding(len(shape.relations) + 1, _SMALL)
        width = self.encoder.width + 2 * _SMALL
        self.dropout = nn.Dropout(shape.dropout)
        self.of_first = nn.Linear(width, shape.hidden)
        self.of_last = nn.Linear(width, shape.hidden, bias=False)
        self.of_mean = nn.Linear(width, shape.hidden, bias=False)
        self.of_length = nn.Embedding(shape.longest, shape.hidden)
        self.out = nn.Linear(shape.hidden, len(shape.kinds))

    def forward(self, sentences: Sequence[Sentence]) -> tuple[Tensor, Longs, Longs]:
        """Scores of spans × kinds, and where the spans begin and end, over the corpus."""
        vectors = self.encoder([w for sentence in sentences for w in sentence.windows])
        tags = torch.from_numpy(np.concatenate([s.tags for s in sentences]))
        relations = torch.from_numpy(np.concatenate([s.relations for s in sentences]))
        words = self.dropout(torch.cat([vectors, self.tag(tags), self.relation(relations)], 1))
        first, last, moved = spans(sentences, self.shape.longest)
        mean = self.of_mean(words)
        sums = torch.cat([mean.new_zeros(1, mean.shape[1]), mean.cumsum(0)])
        a, b = torch.from_numpy(first), torch.from_numpy(last)
        hidden = self.of_first(words)[a] + self.of_last(words)[b]
        hidden = hidden + (sums[b + 1] - sums[a]) / (b - a + 1)[:, None]
        hidden = hidden + self.of_length(b - a)
        scores = self.out(self.dropout(nn.functional.gelu(hidden)))
        return scores, first + moved, last + 1 + moved


def spans(sentences: Sequence[Sentence], longest: int) -> tuple[Longs, Longs, Longs]:
    """First and last word of every span, counted over the batch, and what to add for the corpus."""
    first, last, moved, before = [], [], [], 0
    for sentence in sentences:
        count = len(sentence)
        begin = np.repeat(np.arange(count), longest)
        finish = begin + np.tile(np.arange(longest), count)
        inside = finish < count
        first.append(before + begin[inside])
        last.append(before + finish[inside])
        moved.append(np.full(int(inside.sum()), sentence.first - before))
        before += count
    return np.concatenate(first), np.concatenate(last), np.concatenate(moved)


def sentences_of(detector: Detector, words: Words) -> list[Sentence]:
    """The sentences of a corpus, ready for the detector; what training lacked is number 0."""
    tag = {name: number for number, name in enumerate(detector.shape.tags, 1)}
    relation = {name: number for number, name in enumerate(detector.shape.relations, 1)}
    made = []
    edges: list[int] = words.sentences.tolist()
    for start, end in pairwise(edges):
        if start == end:
            continue
        made.append(
            Sentence(
                first=start,
                windows=tuple(detector.encoder.windows(words.forms[start:end], [0])),
                tags=np.array([tag.get(t, 0) for t in words.tags[start:end]], np.int64),
                relations=np.array(
                    [relation.get(r, 0) for r in words.relations[start:end]], np.int64
                ),
            )
        )
    return made


def span_chances(detector: Detector, words: Words) -> tuple[Any, Longs, Longs]:
    """The chance of every span to be a mention of each kind, and the spans."""
    chances, starts, ends = [], [], []
    sentences = sentences_of(detector.eval(), words)
    with torch.inference_mode():
        for at in range(0, len(sentences), _AT_ONCE):
            scores, start, end = detector(sentences[at : at + _AT_ONCE])
            chances.append(torch.sigmoid(scores).numpy())
            starts.append(start)
            ends.append(end)
    if not chances:
        nothing = np.zeros(0, np.int64)
        return np.zeros((0, len(detector.shape.kinds)), np.float32), nothing, nothing
    return np.concatenate(chances), np.concatenate(starts), np.concatenate(ends)


_SMALL = 24
_AT_ONCE = 32
