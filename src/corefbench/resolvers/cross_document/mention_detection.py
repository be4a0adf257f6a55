"""Mention detection: a span classifier, its training and its decoding.

Every span of up to ten words in a sentence is scored for each kind of mention. Its vector is made
of its first and last word, the mean over its words (Cattan et al. 2021 use attention instead) and
its length; words are those of the encoder, which is fine-tuned, with tag and relation of the
preprocessing.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import torch
from msgspec.structs import replace
from torch import Tensor, nn

from corefbench.records import Columns, Flags, Longs, Record
from corefbench.resolvers.cross_document.clustering import Probabilities
from corefbench.resolvers.cross_document.config import MentionKind
from corefbench.resolvers.cross_document.mentions import AnalysedTokens, MentionTable, build_mention_table
from corefbench.resolvers.cross_document.scorers.base import Arrays, number_parts, select_part
from corefbench.resolvers.neural.encoder import DEFAULT_ENCODER, Encoder, Window, span_means
from corefbench.resolvers.training.config import Report
from corefbench.resolvers.training.fine_tuning import (
    build_optimizer,
    half_precision_weights,
    load_weights,
    train_network,
)

MENTION_KINDS: tuple[MentionKind, ...] = ("event", "entity")
SpansByKind = Mapping[str, set[tuple[int, int]]]
"""For each kind, the spans of its mentions over the corpus."""
_THRESHOLDS: list[float] = np.arange(0.2, 0.75, 0.05).round(2).tolist()
_TAG_DIMENSION = 24
_SENTENCES_PER_BATCH = 32


class MentionDetector:
    """A network with a threshold for each kind of mention."""

    def __init__(self, network: "DetectorNetwork", thresholds: Mapping[str, float]) -> None:
        self.network = network.eval()
        self.thresholds = dict(thresholds)

    def detect(self, tokens: AnalysedTokens, kind: str) -> MentionTable:
        """Find the mentions of a kind, or of any kind for ``all``."""
        probabilities, start, end = span_probabilities(self.network, tokens)
        keep = np.zeros(len(start), np.bool_)
        for number, name in enumerate(self.network.config.kinds):
            if kind in (name, "all"):
                keep |= select_spans(
                    probabilities[:, number], start, end, self.thresholds[name], nested=name != "event"
                )
        rows = np.flatnonzero(keep)
        # In text order, the longer of two that start together first.
        order = rows[np.lexsort((-end[rows], start[rows]))]
        return build_mention_table(tokens, start[order], end[order])

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the weights in half precision."""
        return number_parts([half_precision_weights(self.network)])

    def describe(self) -> dict[str, Any]:
        """Return what ``load`` needs beside the arrays."""
        # The file format has room for several networks, of which only one was ever trained.
        return {"shape": msgspec.to_builtins(self.network.config), "count": 1, "thresholds": self.thresholds}

    @classmethod
    def load(cls, description: Mapping[str, Any], arrays: Arrays) -> "MentionDetector":
        """Restore from a checkpoint."""
        network = DetectorNetwork(msgspec.convert(description["shape"], DetectorConfig))
        load_weights(network, select_part(arrays, "0"))
        return cls(network, description["thresholds"])


def select_spans(probability: Probabilities, start: Longs, end: Longs, threshold: float, *, nested: bool) -> Flags:
    """Flag the spans above the threshold, most probable first, that do not conflict.

    Of crossing spans one is kept; spans inside others are kept only where mentions may be
    ``nested``.
    """
    keep = np.zeros(len(probability), np.bool_)
    covering: dict[int, list[tuple[int, int]]] = {}
    likely = np.flatnonzero(probability > threshold)
    for span in likely[np.argsort(-probability[likely], kind="stable")].tolist():
        a, b = int(start[span]), int(end[span])
        others = {other for token in range(a, b) for other in covering.get(token, ())}
        if all(nested and _is_nested((a, b), other) for other in others):
            keep[span] = True
            for token in range(a, b):
                covering.setdefault(token, []).append((a, b))
    return keep


def _is_nested(x: tuple[int, int], y: tuple[int, int]) -> bool:
    return (x[0] <= y[0] and y[1] <= x[1]) or (y[0] <= x[0] and x[1] <= y[1])


def span_f1(found: Flags, start: Longs, end: Longs, key: set[tuple[int, int]]) -> float:
    """Return the F1 of exact spans: 2 · |found ∩ key| / (|found| + |key|).

    >>> spans = np.array([0, 2]), np.array([1, 3])
    >>> span_f1(np.array([True, False]), *spans, {(0, 1), (2, 3), (4, 5)})
    0.5
    """
    hits = sum(span in key for span in zip(start[found].tolist(), end[found].tolist(), strict=True))
    total = int(found.sum()) + len(key)
    return 2 * hits / total if total else 0.0


def best_span_threshold(
    probability: Probabilities, start: Longs, end: Longs, key: set[tuple[int, int]], *, nested: bool
) -> tuple[float, float]:
    """Return the best F1 and its threshold."""
    tried = [
        (span_f1(select_spans(probability, start, end, at, nested=nested), start, end, key), at) for at in _THRESHOLDS
    ]
    return max(tried, key=lambda pair: pair[0])


# The network


class DetectorConfig(Record, frozen=True):
    """Shape of the network; stored in checkpoints."""

    encoder: str = DEFAULT_ENCODER
    tags: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    kinds: tuple[str, ...] = MENTION_KINDS
    hidden: int = 256
    longest: int = 10
    """Words of the longest mention that can be found."""
    dropout: float = 0.2


class _Sentence(Columns, frozen=True, eq=False):
    """A sentence as input of the network."""

    first: int
    """First token, counted over the corpus."""
    windows: tuple[Window, ...]
    tags: Longs
    relations: Longs

    def __len__(self) -> int:
        return len(self.tags)


class DetectorNetwork(nn.Module):
    """Scores spans."""

    def __init__(self, config: DetectorConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(config.encoder)
        self.tag = nn.Embedding(len(config.tags) + 1, _TAG_DIMENSION)
        self.relation = nn.Embedding(len(config.relations) + 1, _TAG_DIMENSION)
        width = self.encoder.width + 2 * _TAG_DIMENSION
        self.dropout = nn.Dropout(config.dropout)
        self.of_first = nn.Linear(width, config.hidden)
        self.of_last = nn.Linear(width, config.hidden, bias=False)
        self.of_mean = nn.Linear(width, config.hidden, bias=False)
        self.of_length = nn.Embedding(config.longest, config.hidden)
        self.out = nn.Linear(config.hidden, len(config.kinds))

    def forward(self, sentences: Sequence[_Sentence]) -> tuple[Tensor, Longs, Longs]:
        """Return logits (spans × kinds), and start and end of the spans over the corpus."""
        vectors = self.encoder([w for sentence in sentences for w in sentence.windows])
        tags = torch.from_numpy(np.concatenate([s.tags for s in sentences]))
        relations = torch.from_numpy(np.concatenate([s.relations for s in sentences]))
        words = self.dropout(torch.cat([vectors, self.tag(tags), self.relation(relations)], 1))
        first, last, shift = _enumerate_spans(sentences, self.config.longest)
        a, b = torch.from_numpy(first), torch.from_numpy(last)
        # The mean of projected words is the projected mean, and cheaper: spans share their words.
        mean = span_means(self.of_mean(words), a, b + 1)
        hidden = self.of_first(words)[a] + self.of_last(words)[b] + mean + self.of_length(b - a)
        scores = self.out(self.dropout(nn.functional.gelu(hidden)))
        return scores, first + shift, last + 1 + shift

    def sentences(self, tokens: AnalysedTokens) -> list[_Sentence]:
        """Convert a corpus; tags and relations unknown to training get number 0."""
        tag = {name: number for number, name in enumerate(self.config.tags, 1)}
        relation = {name: number for number, name in enumerate(self.config.relations, 1)}
        offsets: list[int] = tokens.sentence_offsets.tolist()
        return [
            _Sentence(
                first=start,
                windows=tuple(self.encoder.windows(tokens.forms[start:end], [0])),
                tags=np.array([tag.get(t, 0) for t in tokens.tags[start:end]], np.int64),
                relations=np.array([relation.get(r, 0) for r in tokens.relations[start:end]], np.int64),
            )
            for start, end in pairwise(offsets)
            if start < end
        ]


def _enumerate_spans(sentences: Sequence[_Sentence], longest: int) -> tuple[Longs, Longs, Longs]:
    """Return first and last word of every span in the batch, and its shift to the corpus."""
    first, last, shift, before = [], [], [], 0
    for sentence in sentences:
        count = len(sentence)
        begin = np.repeat(np.arange(count), longest)
        finish = begin + np.tile(np.arange(longest), count)
        inside = finish < count
        first.append(before + begin[inside])
        last.append(before + finish[inside])
        shift.append(np.full(int(inside.sum()), sentence.first - before))
        before += count
    return np.concatenate(first), np.concatenate(last), np.concatenate(shift)


def span_probabilities(network: DetectorNetwork, tokens: AnalysedTokens) -> tuple[Any, Longs, Longs]:
    """Return the probability of every span for each kind (spans × kinds), and the spans."""
    probabilities = [np.zeros((0, len(network.config.kinds)), np.float32)]
    starts, ends = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    sentences = network.eval().sentences(tokens)
    with torch.inference_mode():
        for at in range(0, len(sentences), _SENTENCES_PER_BATCH):
            scores, start, end = network(sentences[at : at + _SENTENCES_PER_BATCH])
            probabilities.append(torch.sigmoid(scores).numpy())
            starts.append(start)
            ends.append(end)
    return np.concatenate(probabilities), np.concatenate(starts), np.concatenate(ends)


# Training


class DetectorSchedule(Record, frozen=True):
    """Training schedule of the detector."""

    epochs: int = 8
    batch: int = 16
    encoder_rate: float = 1e-4
    rate: float = 1e-3
    warm_up: float = 0.1
    decay: float = 0.01
    clip: float = 1.0
    frozen_layers: int = 0
    """Lowest layers of the encoder that are not trained; its embeddings never are."""
    seed: int = 0


def train_detector(
    tokens: AnalysedTokens,
    mentions: SpansByKind,
    dev_tokens: AnalysedTokens,
    dev_mentions: SpansByKind,
    config: DetectorConfig = DetectorConfig(),
    schedule: DetectorSchedule = DetectorSchedule(),
    report: Report = lambda line: None,
) -> tuple[MentionDetector, dict[str, float]]:
    """Train on one corpus; choose epoch and thresholds by F1 on another. Return F1 by kind, too."""
    torch.manual_seed(schedule.seed)
    network = DetectorNetwork(
        replace(config, tags=tuple(sorted(set(tokens.tags))), relations=tuple(sorted(set(tokens.relations))))
    )
    sentences = network.sentences(tokens)
    optimizer = build_optimizer(
        network,
        encoder_rate=schedule.encoder_rate,
        rate=schedule.rate,
        decay=schedule.decay,
        frozen_layers=schedule.frozen_layers,
    )
    results: list[dict[str, tuple[float, float]]] = []

    def evaluate() -> tuple[float, str]:
        results.append(evaluate_detector(network, dev_tokens, dev_mentions))
        return _mean_f1(results[-1]), "F1 " + ", ".join(
            f"{kind} {100 * f1:.1f}" for kind, (f1, _) in results[-1].items()
        )

    train_network(
        network,
        optimizer,
        [batch for epoch in range(schedule.epochs) for batch in _plan_epoch(sentences, schedule, epoch)],
        lambda batch: _loss(network, batch, mentions),
        evaluate,
        checks=schedule.epochs,
        name="detector",
        report=report,
        warm_up=schedule.warm_up,
        clip=schedule.clip,
    )
    best = max(results, key=_mean_f1)
    detector = MentionDetector(network, {kind: threshold for kind, (_, threshold) in best.items()})
    return detector, {kind: f1 for kind, (f1, _) in best.items()}


def evaluate_detector(
    network: DetectorNetwork, tokens: AnalysedTokens, mentions: SpansByKind
) -> dict[str, tuple[float, float]]:
    """Return, by kind, the best F1 and its threshold."""
    probabilities, start, end = span_probabilities(network, tokens)
    return {
        kind: best_span_threshold(probabilities[:, number], start, end, mentions[kind], nested=kind != "event")
        for number, kind in enumerate(network.config.kinds)
    }


def _mean_f1(result: Mapping[str, tuple[float, float]]) -> float:
    return sum(f1 for f1, _ in result.values()) / len(result)


def _plan_epoch(sentences: Sequence[_Sentence], schedule: DetectorSchedule, epoch: int) -> list[list[_Sentence]]:
    """Return batches of sentences of similar length, so that little is padded, in random order."""
    random = np.random.default_rng([schedule.seed, epoch])
    noisy_lengths = np.array([len(s) for s in sentences]) + random.uniform(-3, 3, len(sentences))
    order = np.argsort(noisy_lengths)
    batches = [order[first : first + schedule.batch] for first in range(0, len(order), schedule.batch)]
    return [[sentences[i] for i in batches[number]] for number in random.permutation(len(batches))]


def _loss(network: DetectorNetwork, batch: Sequence[_Sentence], mentions: SpansByKind) -> Tensor:
    """Return the binary cross-entropy over all spans, per sentence."""
    scores, start, end = network(batch)
    spans = list(zip(start.tolist(), end.tolist(), strict=True))
    kinds = network.config.kinds
    labels = torch.tensor([[float(s in mentions[kind]) for kind in kinds] for s in spans])
    summed = nn.functional.binary_cross_entropy_with_logits(scores, labels, reduction="sum")
    return summed / len(batch)
