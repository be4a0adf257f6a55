"""The pair scorer of Cattan et al. 2021, as a configuration: an encoder that does not learn.

A mention is gᵢ = (first word, last word, attention-weighted sum, length); a pair is scored by a
perceptron over (gᵢ, gⱼ, gᵢ ∘ gⱼ), with binary cross-entropy over all coreferent pairs and twenty
times as many others.
"""

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from corefbench.record import Longs
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.scorer import Chances, Lesson, Report, precision_at_best

DEFAULTS: dict[str, Any] = {
    "hidden": 1024,
    "dropout": 0.3,
    "rate": 1e-4,
    "epochs": 10,
    "batch": 32,
    "length": 20,
    "longest": 10,
}
"""As published; ``length`` is the size of the vector that stands for a mention's length."""


class Network(nn.Module):
    """Mentions to vectors, pairs of vectors to scores."""

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
        """gᵢ of mentions; of one that is longer than the longest, its first words are weighed."""
        width = (end - start).clamp(max=self.longest)
        places = torch.arange(int(width.max()))[None, :]
        inside = places < width[:, None]
        words = vectors[(start[:, None] + places).clamp(max=len(vectors) - 1)]
        weight = self.attention(words).squeeze(-1).masked_fill(~inside, -1e9).softmax(1)
        weighed = (weight[:, :, None] * words).sum(1)
        return torch.cat([vectors[start], vectors[end - 1], weighed, self.length(width - 1)], 1)

    def scores(self, one: Tensor, other: Tensor) -> Tensor:
        """A number for each pair."""
        made: Tensor = self.pair(torch.cat([one, other, one * other], 1)).squeeze(-1)
        return made


class Perceptron:
    """Scores pairs in both orders and takes the mean."""

    def __init__(self, network: Network) -> None:
        self.network = network.eval()

    def score(self, context: Context, one: Longs, other: Longs) -> Chances:
        vectors = torch.from_numpy(context.vectors)
        start, end = _bounds(context)
        made = np.empty(len(one), np.float32)
        with torch.inference_mode():
            mentions = self.network(vectors, start, end)
            for first in range(0, len(one), _AT_ONCE):
                a = mentions[torch.from_numpy(one[first : first + _AT_ONCE])]
                b = mentions[torch.from_numpy(other[first : first + _AT_ONCE])]
                both = (self.network.scores(a, b) + self.network.scores(b, a)) / 2
                made[first : first + _AT_ONCE] = torch.sigmoid(both).numpy()
        return made

    def arrays(self) -> dict[str, np.ndarray]:
        return {name: value.detach().numpy() for name, value in self.network.state_dict().items()}

    @classmethod
    def fit(
        cls, lesson: Lesson, dev: Lesson, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "Perceptron":
        """Adam over shuffled pairs; the epoch with the best average precision on dev is kept."""
        given = {**DEFAULTS, **settings}
        torch.manual_seed(seed)
        network = _made(given, lesson.context.vectors.shape[1])
        optimiser = torch.optim.Adam(network.parameters(), lr=given["rate"])
        random = np.random.default_rng(seed)
        best, state = -1.0, network.state_dict()
        for epoch in range(given["epochs"]):
            began = time.monotonic()
            _epoch(network.train(), optimiser, lesson, given["batch"], random)
            value = precision_at_best(
                dev.labels, cls(network).score(dev.context, dev.one, dev.other)
            )
            left = (time.monotonic() - began) * (given["epochs"] - epoch - 1) / 60
            report(f"perceptron epoch {epoch + 1} dev AP {value:.4f}, {left:.0f} min left")
            if value > best:
                best, state = value, {k: v.clone() for k, v in network.state_dict().items()}
        network.load_state_dict(state)
        return cls(network)

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> "Perceptron":
        network = _made({**DEFAULTS, **settings}, arrays["attention.weight"].shape[1])
        network.load_state_dict({name: torch.from_numpy(a) for name, a in arrays.items()})
        return cls(network)


def _made(given: Mapping[str, Any], width: int) -> Network:
    return Network(width, given["hidden"], given["dropout"], given["length"], given["longest"])


def _epoch(
    network: Network,
    optimiser: torch.optim.Optimizer,
    lesson: Lesson,
    batch: int,
    random: np.random.Generator,
) -> None:
    vectors = torch.from_numpy(lesson.context.vectors)
    start, end = _bounds(lesson.context)
    order = random.permutation(len(lesson.one))
    for first in range(0, len(order), batch):
        rows = order[first : first + batch]
        a, b = torch.from_numpy(lesson.one[rows]), torch.from_numpy(lesson.other[rows])
        scores = network.scores(
            network(vectors, start[a], end[a]), network(vectors, start[b], end[b])
        )
        labels = torch.from_numpy(lesson.labels[rows].astype(np.float32))
        loss = nn.functional.binary_cross_entropy_with_logits(scores, labels)
        loss.backward()
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)


def _bounds(context: Context) -> tuple[Tensor, Tensor]:
    return torch.from_numpy(context.table.start), torch.from_numpy(context.table.end)


_AT_ONCE = 4096
