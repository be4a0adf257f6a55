"""Pair scorer of Cattan et al. 2021: a perceptron over frozen span vectors.

A mention is gᵢ = (first word, last word, attention-weighted sum, length); a pair is scored by a
perceptron over (gᵢ, gⱼ, gᵢ ∘ gⱼ), with binary cross-entropy over all coreferent pairs and twenty
times as many others.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from corefbench.progress import ProgressLog
from corefbench.records import Longs
from corefbench.resolvers.cross_document.clustering import Probabilities
from corefbench.resolvers.cross_document.context import PairContext
from corefbench.resolvers.cross_document.scorers.base import Arrays, TrainingPairs, dev_precision
from corefbench.resolvers.training.config import Report

DEFAULTS: dict[str, Any] = {
    "hidden": 1024,
    "dropout": 0.3,
    "rate": 1e-4,
    "epochs": 10,
    "batch": 32,
    "length": 20,
    "longest": 10,
}
"""As published; ``length`` is the dimension of the embedding of a mention's length."""
_PAIRS_PER_BATCH = 4096


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
    """Scores pairs in both orders and averages."""

    def __init__(self, network: PairNetwork) -> None:
        self.network = network.eval()

    def score(self, context: PairContext, left: Longs, right: Longs) -> Probabilities:
        vectors = torch.from_numpy(context.vectors)
        start, end = _span_bounds(context)
        probabilities = np.empty(len(left), np.float32)
        with torch.inference_mode():
            mentions = self.network(vectors, start, end)
            for first in range(0, len(left), _PAIRS_PER_BATCH):
                batch = slice(first, first + _PAIRS_PER_BATCH)
                a = mentions[torch.from_numpy(left[batch])]
                b = mentions[torch.from_numpy(right[batch])]
                both = (self.network.scores(a, b) + self.network.scores(b, a)) / 2
                probabilities[batch] = torch.sigmoid(both).numpy()
        return probabilities

    def arrays(self) -> dict[str, np.ndarray]:
        return {name: value.detach().numpy() for name, value in self.network.state_dict().items()}

    @classmethod
    def fit(
        cls, train: TrainingPairs, dev: TrainingPairs, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "MlpScorer":
        """Train with Adam; the epoch with the best average precision on dev is kept."""
        options = {**DEFAULTS, **settings}
        torch.manual_seed(seed)
        network = _build_network(options, train.context.vectors.shape[1])
        optimizer = torch.optim.Adam(network.parameters(), lr=options["rate"])
        random = np.random.default_rng(seed)
        best, state = -1.0, network.state_dict()
        progress = ProgressLog("perceptron epoch", options["epochs"], report)
        for _ in range(options["epochs"]):
            _train_epoch(network.train(), optimizer, train, options["batch"], random)
            precision = dev_precision(cls(network), dev)
            progress.step(f"dev AP {precision:.4f}", is_logged=True)
            if precision > best:
                best, state = precision, {k: v.clone() for k, v in network.state_dict().items()}
        network.load_state_dict(state)
        return cls(network)

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Arrays) -> "MlpScorer":
        network = _build_network({**DEFAULTS, **settings}, arrays["attention.weight"].shape[1])
        network.load_state_dict({name: torch.from_numpy(a) for name, a in arrays.items()})
        return cls(network)


def _build_network(options: Mapping[str, Any], width: int) -> PairNetwork:
    return PairNetwork(width, options["hidden"], options["dropout"], options["length"], options["longest"])


def _train_epoch(
    network: PairNetwork,
    optimizer: torch.optim.Optimizer,
    pairs: TrainingPairs,
    batch: int,
    random: np.random.Generator,
) -> None:
    vectors = torch.from_numpy(pairs.context.vectors)
    start, end = _span_bounds(pairs.context)
    order = random.permutation(len(pairs.left))
    for first in range(0, len(order), batch):
        rows = order[first : first + batch]
        a, b = torch.from_numpy(pairs.left[rows]), torch.from_numpy(pairs.right[rows])
        scores = network.scores(network(vectors, start[a], end[a]), network(vectors, start[b], end[b]))
        labels = torch.from_numpy(pairs.labels[rows].astype(np.float32))
        loss = nn.functional.binary_cross_entropy_with_logits(scores, labels)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)


def _span_bounds(context: PairContext) -> tuple[Tensor, Tensor]:
    return torch.from_numpy(context.mentions.start), torch.from_numpy(context.mentions.end)
