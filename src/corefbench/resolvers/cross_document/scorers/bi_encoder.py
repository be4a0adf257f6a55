"""Fine-tuned bi-encoder: pairs are scored by the cosine of mention vectors.

p(i, j) = σ(a · cos(gᵢ, gⱼ) + b), where g is a projection of the first and last word of the mention
and the mean over its words, each in its sentence.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from corefbench.records import Longs
from corefbench.resolvers.cross_document.clustering import Probabilities
from corefbench.resolvers.cross_document.context import PairContext
from corefbench.resolvers.cross_document.mentions import AnalysedTokens, MentionTable
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
    "width": 256,
    "epochs": 4,
    "sentences": 24,
    "encoder_rate": 5e-5,
    "rate": 1e-3,
    "frozen_layers": 0,
    "positive_weight": 3.0,
}
"""A training step takes ``sentences`` of one topic; every two of their mentions are a pair."""
_PAIRS_PER_BATCH = 1 << 16
_MENTIONS_PER_BATCH = 128


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
        sums = torch.cat([vectors.new_zeros(1, vectors.shape[1]), vectors.cumsum(0)])
        mean = (sums[last + 1] - sums[first]) / (last - first + 1)[:, None]
        joined = torch.cat([vectors[first], vectors[last], mean], 1)
        return nn.functional.normalize(self.project(self.dropout(joined)), dim=1)


class BiEncoderScorer:
    """Scores pairs by the product of their vectors."""

    def __init__(self, network: BiEncoderNetwork) -> None:
        self.network = network

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        """Return probabilities; every mention is encoded once."""
        self.network.eval()
        used, row = np.unique(np.concatenate([left, right]), return_inverse=True)
        vectors = self._encode(context, used)
        a, b = row.reshape(2, -1)
        probabilities = np.empty(len(left), np.float32)
        scale, shift = (float(p.detach()) for p in (self.network.scale, self.network.shift))
        for first in range(0, len(left), _PAIRS_PER_BATCH):
            batch = slice(first, first + _PAIRS_PER_BATCH)
            product = np.einsum("ij,ij->i", vectors[a[batch]], vectors[b[batch]])
            probabilities[batch] = 1 / (1 + np.exp(-(scale * product + shift)))
        return probabilities

    def _encode(self, context: PairContext, numbers: Longs) -> np.ndarray:
        # In the order of the text, so that mentions of a sentence share its encoding.
        order = numbers[np.argsort(context.mentions.sentence[numbers], kind="stable")]
        vectors = np.zeros((len(numbers), self.network.project.out_features), np.float32)
        with torch.inference_mode():
            for first in range(0, len(order), _MENTIONS_PER_BATCH):
                batch = order[first : first + _MENTIONS_PER_BATCH]
                encoded = self.network(context.tokens, context.mentions, batch).numpy()
                vectors[np.searchsorted(numbers, batch)] = encoded
        return vectors

    def arrays(self) -> dict[str, np.ndarray]:
        return half_precision_weights(self.network)

    @classmethod
    def fit(
        cls, train: TrainingPairs, dev: TrainingPairs, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "BiEncoderScorer":
        """Train on sentences of the topics of the pairs."""
        options = {**DEFAULTS, **settings}
        torch.manual_seed(seed)
        network = BiEncoderNetwork(options["encoder"], options["width"])
        optimizer = build_optimizer(
            network, encoder_rate=options["encoder_rate"], rate=options["rate"], frozen_layers=options["frozen_layers"]
        )
        groups = train.groups()
        random = np.random.default_rng(seed)
        batches = [
            batch
            for _ in range(options["epochs"])
            for batch in _plan_epoch(train, groups, options["sentences"], random)
        ]
        scorer = cls(network)
        train_network(
            network,
            optimizer,
            batches,
            lambda numbers: _loss(network, train, numbers, options["positive_weight"]),
            lambda: dev_precision(scorer, dev),
            checks=options["epochs"],
            name="bi-encoder",
            report=report,
        )
        return scorer

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Arrays) -> "BiEncoderScorer":
        options = {**DEFAULTS, **settings}
        network = BiEncoderNetwork(options["encoder"], options["width"])
        load_weights(network, arrays)
        return cls(network)


def _loss(network: BiEncoderNetwork, pairs: TrainingPairs, numbers: Longs, positive_weight: float) -> Tensor:
    """Return the binary cross-entropy over all pairs of the mentions."""
    mentions = pairs.context.mentions
    vectors = network(pairs.context.tokens, mentions, numbers)
    a, b = torch.triu_indices(len(numbers), len(numbers), 1)
    chain = torch.from_numpy(mentions.chain[numbers])
    labels = (chain[a] == chain[b]).float()
    scores = network.scale * (vectors[a] * vectors[b]).sum(1) + network.shift
    return nn.functional.binary_cross_entropy_with_logits(scores, labels, pos_weight=torch.tensor(positive_weight))


def _plan_epoch(
    pairs: TrainingPairs, groups: Longs, sentences_per_batch: int, random: np.random.Generator
) -> list[Longs]:
    """Return batches of mentions: sentences of one topic, each sentence once."""
    mentions = pairs.context.mentions
    batches: list[Longs] = []
    for topic in np.unique(groups).tolist():
        members = np.flatnonzero(groups == topic)
        sentences = random.permutation(np.unique(mentions.sentence[members]))
        for first in range(0, len(sentences), sentences_per_batch):
            chosen = sentences[first : first + sentences_per_batch]
            inside = members[np.isin(mentions.sentence[members], chosen)]
            if len(inside) > 1:
                batches.append(inside)
    return [batches[number] for number in random.permutation(len(batches))]
