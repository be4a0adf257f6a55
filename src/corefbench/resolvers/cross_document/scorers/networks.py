"""Pair scorers that are neural networks: a perceptron, a bi-encoder and a cross-encoder."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import torch
from torch import Tensor, nn

from corefbench.records import Flags, Longs
from corefbench.resolvers.cross_document.clustering import Probabilities
from corefbench.resolvers.cross_document.context import PairContext
from corefbench.resolvers.cross_document.mentions import AnalysedTokens, MentionTable
from corefbench.resolvers.cross_document.scorers.base import Arrays, TrainingPairs, dev_precision
from corefbench.resolvers.neural.encoder import DEFAULT_ENCODER, Encoder, span_means
from corefbench.resolvers.training.config import Report
from corefbench.resolvers.training.fine_tuning import (
    build_optimizer,
    half_precision_weights,
    load_weights,
    train_network,
)

_PERCEPTRON_PAIRS, _BI_ENCODER_PAIRS, _CROSS_ENCODER_PAIRS = 4096, 1 << 16, 64
"""Pairs per batch."""
_BI_ENCODER_MENTIONS = 128
_MAX_MENTION_WORDS = 10


# Perceptron


class PairNetwork(nn.Module):
    """Mention vectors and pair scores."""

    def __init__(self, width: int, hidden: int, dropout: float, length: int, longest: int) -> None:
        super().__init__()
        self.attention = nn.Linear(width, 1)
        self.length = nn.Embedding(longest, length)
        size = 3 * width + length
        self.pair = nn.Sequential(
            nn.Linear(3 * size, hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden, 1),
        )
        self.longest = longest

    def forward(self, vectors: Tensor, start: Tensor, end: Tensor) -> Tensor:
        """Return gᵢ of mentions; of longer ones, attention covers the first ``longest`` words."""
        width = (end - start).clamp(max=self.longest)
        offsets = torch.arange(int(width.max()))[None, :]
        inside = offsets < width[:, None]
        words = vectors[(start[:, None] + offsets).clamp(max=len(vectors) - 1)]
        weight = self.attention(words).squeeze(-1).masked_fill(~inside, -1e9).softmax(1)
        content = (weight[:, :, None] * words).sum(1)
        return torch.cat([vectors[start], vectors[end - 1], content, self.length(width - 1)], 1)

    def scores(self, left: Tensor, right: Tensor) -> Tensor:
        """Return the logit of each pair."""
        logits: Tensor = self.pair(torch.cat([left, right, left * right], 1)).squeeze(-1)
        return logits


class MlpScorer:
    """Pair scorer of Cattan et al. 2021: a perceptron over frozen span vectors.

    A mention is gᵢ = (first word, last word, attention-weighted sum, length); a pair is scored by a
    perceptron over (gᵢ, gⱼ, gᵢ ∘ gⱼ), in both orders, with binary cross-entropy over all coreferent
    pairs and twenty times as many others.
    """

    # As published; ``length`` is the dimension of the embedding of a mention's length.
    DEFAULTS: ClassVar[dict[str, Any]] = {
        "hidden": 1024,
        "dropout": 0.3,
        "rate": 1e-4,
        "epochs": 10,
        "batch": 32,
        "length": 20,
        "longest": 10,
    }

    def __init__(self, options: Mapping[str, Any], width: int) -> None:
        self.network = PairNetwork(width, *(options[name] for name in ("hidden", "dropout", "length", "longest")))

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        self.network.eval()
        vectors, start, end = _span_tensors(context)
        probabilities = np.empty(len(left), np.float32)
        with torch.inference_mode():
            mentions = self.network(vectors, start, end)
            for batch in _batches(np.arange(len(left)), _PERCEPTRON_PAIRS):
                a, b = mentions[torch.from_numpy(left[batch])], mentions[torch.from_numpy(right[batch])]
                both = (self.network.scores(a, b) + self.network.scores(b, a)) / 2
                probabilities[batch] = torch.sigmoid(both).numpy()
        return probabilities

    def arrays(self) -> dict[str, np.ndarray]:
        return {name: value.detach().numpy() for name, value in self.network.state_dict().items()}

    @classmethod
    def fit(
        cls, train: TrainingPairs, dev: TrainingPairs, settings: Mapping[str, Any], seed: int, report: Report
    ) -> Self:
        """Train with Adam; the epoch with the best average precision on dev is kept."""
        options = {**cls.DEFAULTS, **settings}
        torch.manual_seed(seed)
        scorer = cls(options, train.context.vectors.shape[1])
        network = scorer.network
        vectors, start, end = _span_tensors(train.context)

        def loss(rows: Longs) -> Tensor:
            a, b = torch.from_numpy(train.left[rows]), torch.from_numpy(train.right[rows])
            logits = network.scores(network(vectors, start[a], end[a]), network(vectors, start[b], end[b]))
            return _cross_entropy(logits, train, rows)

        random = np.random.default_rng(seed)
        epochs = [random.permutation(len(train.left)) for _ in range(options["epochs"])]
        train_network(
            network,
            torch.optim.Adam(network.parameters(), lr=options["rate"]),
            [batch for order in epochs for batch in _batches(order, options["batch"])],
            loss,
            lambda: dev_precision(scorer, dev),
            checks=options["epochs"],
            name="perceptron",
            report=report,
            warm_up=None,
            clip=None,
        )
        return scorer

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Arrays) -> Self:
        scorer = cls({**cls.DEFAULTS, **settings}, arrays["attention.weight"].shape[1])
        load_weights(scorer.network, arrays)
        return scorer


def _span_tensors(context: PairContext) -> tuple[Tensor, Tensor, Tensor]:
    """Return the vectors of all tokens, and start and end of the mentions."""
    mentions = context.mentions
    return torch.from_numpy(context.vectors), torch.from_numpy(mentions.start), torch.from_numpy(mentions.end)


def _batches(rows: Longs, size: int) -> list[Longs]:
    return [rows[first : first + size] for first in range(0, len(rows), size)]


def _cross_entropy(logits: Tensor, pairs: TrainingPairs, rows: Longs) -> Tensor:
    labels = torch.from_numpy(pairs.labels[rows].astype(np.float32))
    return nn.functional.binary_cross_entropy_with_logits(logits, labels)


# Fine-tuned encoders


class FineTunedScorer(ABC):
    """A scorer whose encoder is fine-tuned; the weights are stored in half precision."""

    NAME: ClassVar[str]
    DEFAULTS: ClassVar[dict[str, Any]]
    network: nn.Module

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = options

    @abstractmethod
    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Return the probability of each pair."""

    @abstractmethod
    def plan(self, pairs: TrainingPairs, random: np.random.Generator) -> list[Longs]:
        """Return the batches of all epochs."""

    @abstractmethod
    def loss(self, pairs: TrainingPairs, batch: Longs) -> Tensor:
        """Return the loss of a batch."""

    def arrays(self) -> dict[str, np.ndarray]:
        return half_precision_weights(self.network)

    @classmethod
    def fit(
        cls, train: TrainingPairs, dev: TrainingPairs, settings: Mapping[str, Any], seed: int, report: Report
    ) -> Self:
        """Train with AdamW; the state with the best average precision on dev is kept."""
        options = {**cls.DEFAULTS, **settings}
        torch.manual_seed(seed)
        scorer = cls(options)
        rates = {name: options[name] for name in ("encoder_rate", "rate", "frozen_layers")}
        optimizer = build_optimizer(scorer.network, **rates)
        random = np.random.default_rng(seed)
        batches = scorer.plan(train, random)
        if "checked" in options:
            dev = dev.select(np.sort(random.permutation(len(dev.left))[: options["checked"]]))
        train_network(
            scorer.network,
            optimizer,
            batches,
            lambda batch: scorer.loss(train, batch),
            lambda: dev_precision(scorer, dev),
            checks=options["epochs"],
            name=cls.NAME,
            report=report,
        )
        return scorer

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Arrays) -> Self:
        scorer = cls({**cls.DEFAULTS, **settings})
        load_weights(scorer.network, arrays)
        return scorer


class BiEncoderNetwork(nn.Module):
    """Mention vectors of length 1; scale and shift turn their product into a logit."""

    def __init__(self, encoder: str, width: int) -> None:
        super().__init__()
        self.encoder = Encoder(encoder)
        self.project = nn.Linear(3 * self.encoder.width, width)
        self.dropout = nn.Dropout(0.1)
        self.scale = nn.Parameter(torch.tensor(8.0))
        self.shift = nn.Parameter(torch.tensor(-5.0))

    def forward(self, tokens: AnalysedTokens, mentions: MentionTable, numbers: Longs) -> Tensor:
        """Return the vectors of mentions, given by number."""
        used, row = np.unique(mentions.sentence[numbers], return_inverse=True)
        begin, end = tokens.sentence_offsets[used], tokens.sentence_offsets[used + 1]
        windows = []
        for a, b in zip(begin.tolist(), end.tolist(), strict=True):
            windows += self.encoder.windows(tokens.forms[a:b], [0])
        vectors = self.encoder(windows)
        # From positions in the corpus to positions among the encoded sentences.
        shift = (np.cumsum(end - begin) - (end - begin) - begin)[row.reshape(-1)]
        first = torch.from_numpy(mentions.start[numbers] + shift)
        last = torch.from_numpy(np.minimum(mentions.end[numbers] + shift, len(vectors)) - 1)
        # Computed first: gradients are added in the order of the operations, to the last bit.
        mean = span_means(vectors, first, last + 1)
        joined = torch.cat([vectors[first], vectors[last], mean], 1)
        return nn.functional.normalize(self.project(self.dropout(joined)), dim=1)


class BiEncoderScorer(FineTunedScorer):
    """Pairs are scored by the cosine of mention vectors.

    p(i, j) = σ(a · cos(gᵢ, gⱼ) + b), where g is a projection of the first and last word of the
    mention and the mean over its words, each in its sentence.
    """

    NAME = "bi-encoder"
    # A training step takes ``sentences`` of one topic; every two of their mentions are a pair.
    DEFAULTS: ClassVar[dict[str, Any]] = {
        "encoder": DEFAULT_ENCODER,
        "width": 256,
        "epochs": 4,
        "sentences": 24,
        "encoder_rate": 5e-5,
        "rate": 1e-3,
        "frozen_layers": 0,
        "positive_weight": 3.0,
    }
    network: BiEncoderNetwork

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self.network = BiEncoderNetwork(options["encoder"], options["width"])

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Return probabilities; every mention is encoded once."""
        self.network.eval()
        used, row = np.unique(np.concatenate([left, right]), return_inverse=True)
        vectors = self._encode(context, used)
        a, b = row.reshape(2, -1)
        probabilities = np.empty(len(left), np.float32)
        scale, shift = (float(p.detach()) for p in (self.network.scale, self.network.shift))
        for batch in _batches(np.arange(len(left)), _BI_ENCODER_PAIRS):
            product = np.einsum("ij,ij->i", vectors[a[batch]], vectors[b[batch]])
            probabilities[batch] = 1 / (1 + np.exp(-(scale * product + shift)))
        return probabilities

    def _encode(self, context: PairContext, numbers: Longs) -> np.ndarray:
        # In the order of the text, so that mentions of a sentence share its encoding.
        order = numbers[np.argsort(context.mentions.sentence[numbers], kind="stable")]
        vectors = np.zeros((len(numbers), self.network.project.out_features), np.float32)
        with torch.inference_mode():
            for batch in _batches(order, _BI_ENCODER_MENTIONS):
                encoded = self.network(context.tokens, context.mentions, batch).numpy()
                vectors[np.searchsorted(numbers, batch)] = encoded
        return vectors

    def plan(self, pairs: TrainingPairs, random: np.random.Generator) -> list[Longs]:
        """Return batches of mentions: sentences of one topic, each sentence once per epoch."""
        groups, sentence = pairs.groups(), pairs.context.mentions.sentence
        batches: list[Longs] = []
        for _ in range(self.options["epochs"]):
            epoch: list[Longs] = []
            for topic in np.unique(groups).tolist():
                members = np.flatnonzero(groups == topic)
                shuffled = random.permutation(np.unique(sentence[members]))
                for chosen in _batches(shuffled, self.options["sentences"]):
                    inside = members[np.isin(sentence[members], chosen)]
                    if len(inside) > 1:
                        epoch.append(inside)
            batches += [epoch[number] for number in random.permutation(len(epoch))]
        return batches

    def loss(self, pairs: TrainingPairs, batch: Longs) -> Tensor:
        """Return the binary cross-entropy over all pairs of the mentions."""
        mentions = pairs.context.mentions
        vectors = self.network(pairs.context.tokens, mentions, batch)
        a, b = torch.triu_indices(len(batch), len(batch), 1)
        chain = torch.from_numpy(mentions.chain[batch])
        labels = (chain[a] == chain[b]).float()
        logits = self.network.scale * (vectors[a] * vectors[b]).sum(1) + self.network.shift
        weight = torch.tensor(self.options["positive_weight"])
        return nn.functional.binary_cross_entropy_with_logits(logits, labels, pos_weight=weight)


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
        counts = np.array([window.words for window in windows])
        bounds = torch.tensor(spans) + torch.from_numpy(np.cumsum(counts) - counts)[:, None]
        a_vector, b_vector = (span_means(vectors, bounds[:, n], bounds[:, n + 1]) for n in (0, 2))
        logits: Tensor = self.out(torch.cat([a_vector, b_vector, a_vector * b_vector], 1)).squeeze(-1)
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


class CrossEncoderScorer(FineTunedScorer):
    """Reads both sentences of a pair together.

    A pair is written ``[CLS] … [ mention ] … [SEP] … [ mention ] … [SEP]``; the score is computed
    from the vectors of the two mentions and their product. Pairs with different lemmas and
    dissimilar heads are not read: they count as not coreferent.
    """

    NAME = "cross-encoder"
    # ``around``: words of context on each side of a mention; ``least``: minimum similarity of heads
    # with different lemmas; ``pairs``: training pairs per epoch; ``checked``: development pairs by
    # which the best state is chosen.
    DEFAULTS: ClassVar[dict[str, Any]] = {
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
    network: CrossEncoderNetwork

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self.network = CrossEncoderNetwork(options["encoder"], options["around"])

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Return probabilities, the mean of both reading orders; 0 for pairs that are not read."""
        self.network.eval()
        probabilities = np.zeros(len(left), np.float32)
        rows = np.flatnonzero(self._is_read(context, left, right))
        with torch.inference_mode():
            for batch in _batches(rows, _CROSS_ENCODER_PAIRS):
                a, b = left[batch].tolist(), right[batch].tolist()
                both = (self.network(context, a, b) + self.network(context, b, a)) / 2
                probabilities[batch] = torch.sigmoid(both).numpy()
        return probabilities

    def _is_read(self, context: PairContext, left: Longs, right: Longs) -> Flags:
        """Flag pairs with the same head lemma or with heads that are similar in context."""
        similar = context.view("head vector").similarity(left, right) >= self.options["least"]
        return np.asarray(similar | (context.lemma[left] == context.lemma[right]), np.bool_)

    def plan(self, pairs: TrainingPairs, random: np.random.Generator) -> list[Longs]:
        """Return batches of pairs of similar length, so that little is padded, in random order."""
        candidates = np.flatnonzero(self._is_read(pairs.context, pairs.left, pairs.right))
        sentence_lengths = np.diff(pairs.context.tokens.sentence_offsets)[pairs.context.mentions.sentence]
        length = np.minimum(sentence_lengths, 2 * self.options["around"])
        batches: list[Longs] = []
        for _ in range(self.options["epochs"]):
            rows = random.permutation(candidates)[: self.options["pairs"]]
            noise = random.uniform(-4, 4, len(rows))
            rows = rows[np.argsort(length[pairs.left[rows]] + length[pairs.right[rows]] + noise)]
            epoch = _batches(rows, self.options["batch"])
            batches += [epoch[number] for number in random.permutation(len(epoch))]
        return batches

    def loss(self, pairs: TrainingPairs, batch: Longs) -> Tensor:
        """Return the binary cross-entropy; half of the pairs are read in the other order."""
        left, right = pairs.left[batch].tolist(), pairs.right[batch].tolist()
        swapped = [(b, a) if (a + b) % 2 else (a, b) for a, b in zip(left, right, strict=True)]
        logits = self.network(pairs.context, [a for a, _ in swapped], [b for _, b in swapped])
        return _cross_entropy(logits, pairs, batch)
