"""Fine-tuned cross-encoder that reads both sentences of a pair.

A pair is written ``[CLS] … [ mention ] … [SEP] … [ mention ] … [SEP]``; the score is computed from
the vectors of the two mentions and their product. Pairs with different lemmas and dissimilar heads
are not read: they count as not coreferent.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from corefbench.records import Flags, Longs
from corefbench.resolvers.cross_document.clustering import Probabilities
from corefbench.resolvers.cross_document.context import PairContext
from corefbench.resolvers.cross_document.scorers.base import Arrays, TrainingPairs, dev_precision
from corefbench.resolvers.neural.encoder import DEFAULT_ENCODER, Encoder
from corefbench.resolvers.training.config import Report
from corefbench.resolvers.training.fine_tuning import (
    build_optimizer,
    half_precision_weights,
    load_weights,
    train_network,
)

DEFAULTS: dict[str, Any] = {
    "encoder": DEFAULT_ENCODER,
    "epochs": 1,
    "batch": 16,
    "encoder_rate": 5e-5,
    "rate": 1e-3,
    "frozen_layers": 0,
    "around": 20,
    "least": 0.5,
    "pairs": 25_000,
    "checked": 4_000,
}
"""``around``: words of context on each side of a mention; ``least``: minimum similarity of heads
with different lemmas; ``pairs``: training pairs per epoch; ``checked``: development pairs by which
the best state is chosen."""
_PAIRS_PER_BATCH = 64
_MAX_MENTION_WORDS = 10


class CrossEncoderNetwork(nn.Module):
    """Scores two sentences in one window."""

    def __init__(self, encoder: str, around: int) -> None:
        super().__init__()
        self.encoder = Encoder(encoder)
        self.around = around
        self.out = nn.Sequential(nn.Linear(3 * self.encoder.width, 256), nn.GELU(), nn.Dropout(0.1), nn.Linear(256, 1))

    def forward(self, context: PairContext, left: Sequence[int], right: Sequence[int]) -> Tensor:
        """Return the logit of each pair, read in this order."""
        separator = self.encoder.tokenizer.separator or "."
        windows, spans = [], []
        for a, b in zip(left, right, strict=True):
            a_words, a_span = self._marked_sentence(context, a)
            b_words, b_span = self._marked_sentence(context, b)
            window = self.encoder.windows([*a_words, separator, *b_words], [0])[0]
            windows.append(window)
            shift = len(a_words) + 1
            span = (*a_span, b_span[0] + shift, b_span[1] + shift)
            # A window may be cut off at its end: clip starts to its last word, ends behind it.
            spans.append([min(p, window.words - 1 + number % 2) for number, p in enumerate(span)])
        vectors = self.encoder(windows)
        ends = np.cumsum([window.words for window in windows])
        offset = torch.from_numpy(ends - [window.words for window in windows])
        bounds = torch.tensor(spans)
        sums = torch.cat([vectors.new_zeros(1, vectors.shape[1]), vectors.cumsum(0)])

        def span_mean(column: int) -> Tensor:
            start, end = offset + bounds[:, column], offset + bounds[:, column + 1]
            return (sums[end] - sums[start]) / (end - start)[:, None]

        a_vector, b_vector = span_mean(0), span_mean(2)
        joined = torch.cat([a_vector, b_vector, a_vector * b_vector], 1)
        logits: Tensor = self.out(joined).squeeze(-1)
        return logits

    def _marked_sentence(self, context: PairContext, number: int) -> tuple[list[str], tuple[int, int]]:
        """Return the words around a mention with brackets, and the span of the mention in them."""
        tokens, mentions = context.tokens, context.mentions
        start, end, sentence = (int(column[number]) for column in (mentions.start, mentions.end, mentions.sentence))
        first = max(int(tokens.sentence_offsets[sentence]), start - self.around)
        last = min(int(tokens.sentence_offsets[sentence + 1]), end + self.around)
        last, end = max(last, end), min(end, start + _MAX_MENTION_WORDS)
        before, inside = list(tokens.forms[first:start]), list(tokens.forms[start:end])
        words = [*before, "[", *inside, "]", *tokens.forms[end:last]]
        return words, (len(before) + 1, len(before) + 1 + len(inside))


class CrossEncoderScorer:
    """Reads the pairs that pass the candidate filter."""

    def __init__(self, network: CrossEncoderNetwork, min_similarity: float) -> None:
        self.network = network
        self.min_similarity = min_similarity

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Return probabilities, the mean of both reading orders; 0 for pairs that are not read."""
        self.network.eval()
        probabilities = np.zeros(len(left), np.float32)
        rows = np.flatnonzero(has_similar_heads(context, left, right, self.min_similarity))
        with torch.inference_mode():
            for first in range(0, len(rows), _PAIRS_PER_BATCH):
                batch = rows[first : first + _PAIRS_PER_BATCH]
                a, b = left[batch].tolist(), right[batch].tolist()
                both = (self.network(context, a, b) + self.network(context, b, a)) / 2
                probabilities[batch] = torch.sigmoid(both).numpy()
        return probabilities

    def arrays(self) -> dict[str, np.ndarray]:
        return half_precision_weights(self.network)

    @classmethod
    def fit(
        cls, train: TrainingPairs, dev: TrainingPairs, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "CrossEncoderScorer":
        """Train on pairs that pass the candidate filter."""
        options = {**DEFAULTS, **settings}
        torch.manual_seed(seed)
        network = CrossEncoderNetwork(options["encoder"], options["around"])
        optimizer = build_optimizer(
            network, encoder_rate=options["encoder_rate"], rate=options["rate"], frozen_layers=options["frozen_layers"]
        )
        random = np.random.default_rng(seed)
        candidates = np.flatnonzero(has_similar_heads(train.context, train.left, train.right, options["least"]))
        batches = [batch for _ in range(options["epochs"]) for batch in _plan_epoch(train, candidates, options, random)]
        checked = np.sort(random.permutation(len(dev.left))[: options["checked"]])
        scorer, dev_pairs = cls(network, options["least"]), dev.select(checked)
        train_network(
            network,
            optimizer,
            batches,
            lambda rows: _loss(network, train, rows),
            lambda: dev_precision(scorer, dev_pairs),
            checks=options["epochs"],
            name="cross-encoder",
            report=report,
        )
        return scorer

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Arrays) -> "CrossEncoderScorer":
        options = {**DEFAULTS, **settings}
        network = CrossEncoderNetwork(options["encoder"], options["around"])
        load_weights(network, arrays)
        return cls(network, options["least"])


def has_similar_heads(context: PairContext, left: Longs, right: Longs, min_similarity: float) -> Flags:
    """Flag pairs with the same head lemma or with heads that are similar in context."""
    similar = context.view("head vector").similarity(left, right) >= min_similarity
    return np.asarray(similar | (context.lemma[left] == context.lemma[right]), np.bool_)


def _plan_epoch(
    pairs: TrainingPairs, candidates: Longs, options: Mapping[str, Any], random: np.random.Generator
) -> list[Longs]:
    """Return batches of pairs of similar length, so that little is padded, in random order."""
    rows = random.permutation(candidates)[: options["pairs"]]
    mentions, tokens = pairs.context.mentions, pairs.context.tokens
    lengths = np.diff(tokens.sentence_offsets)[mentions.sentence]
    length = np.minimum(lengths, 2 * options["around"])
    noise = random.uniform(-4, 4, len(rows))
    rows = rows[np.argsort(length[pairs.left[rows]] + length[pairs.right[rows]] + noise)]
    size = options["batch"]
    batches = [rows[first : first + size] for first in range(0, len(rows), size)]
    return [batches[number] for number in random.permutation(len(batches))]


def _loss(network: CrossEncoderNetwork, pairs: TrainingPairs, rows: Longs) -> Tensor:
    """Return the binary cross-entropy; half of the pairs are read in the other order."""
    left, right = pairs.left[rows].tolist(), pairs.right[rows].tolist()
    swapped = [(b, a) if (a + b) % 2 else (a, b) for a, b in zip(left, right, strict=True)]
    scores = network(pairs.context, [a for a, _ in swapped], [b for _, b in swapped])
    labels = torch.from_numpy(pairs.labels[rows].astype(np.float32))
    return nn.functional.binary_cross_entropy_with_logits(scores, labels)
