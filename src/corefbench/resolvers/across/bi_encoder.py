"""A fine-tuned encoder that gives every mention a vector; like vectors corefer.

p(i, j) = σ(a · cos(gᵢ, gⱼ) + b), where g is a projection of the first and last word of the mention
and the mean over its words, each in its sentence.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from corefbench.record import Longs
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.scorer import Chances, Lesson, Report, precision_at_best
from corefbench.resolvers.across.table import Table
from corefbench.resolvers.across.teaching import teach
from corefbench.resolvers.across.words import Words
from corefbench.resolvers.neural.encoder import DEFAULT, Encoder
from corefbench.resolvers.neural.fine_tuning import (
    load_weights,
    optimiser_of,
    weights_of,
)

DEFAULTS: dict[str, Any] = {
    "encoder": DEFAULT,
    "width": 256,
    "epochs": 4,
    "sentences": 24,
    "encoder_rate": 5e-5,
    "rate": 1e-3,
    "frozen_layers": 0,
    "positive_weight": 3.0,
}
"""``sentences`` of one topic make a step: every two of their mentions are a pair to learn."""


class Network(nn.Module):
    """Mentions to vectors of length 1, and two numbers that turn their product into a chance."""

    def __init__(self, encoder: str, width: int) -> None:
        super().__init__()
        self.encoder = Encoder(encoder)
        self.project = nn.Linear(3 * self.encoder.width, width)
        self.dropout = nn.Dropout(0.1)
        self.scale = nn.Parameter(torch.tensor(8.0))
        self.shift = nn.Parameter(torch.tensor(-5.0))

    def forward(self, words: Words, table: Table, mentions: Longs) -> Tensor:
        """The vectors of mentions, given by number."""
        used, place = np.unique(table.sentence[mentions], return_inverse=True)
        begin, finish = words.sentences[used], words.sentences[used + 1]
        windows = []
        for a, b in zip(begin.tolist(), finish.tolist(), strict=True):
            windows += self.encoder.windows(words.forms[a:b], [0])
        vectors = self.encoder(windows)
        # Where the sentence of each mention begins among the vectors.
        moved = (np.cumsum(finish - begin) - (finish - begin) - begin)[place.reshape(-1)]
        first = torch.from_numpy(table.start[mentions] + moved)
        last = torch.from_numpy(np.minimum(table.end[mentions] + moved, len(vectors)) - 1)
        sums = torch.cat([vectors.new_zeros(1, vectors.shape[1]), vectors.cumsum(0)])
        mean = (sums[last + 1] - sums[first]) / (last - first + 1)[:, None]
        joined = torch.cat([vectors[first], vectors[last], mean], 1)
        return nn.functional.normalize(self.project(self.dropout(joined)), dim=1)


class BiEncoder:
    """Scores pairs by the product of their vectors."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def precision(self, lesson: Lesson) -> float:
        """Average precision over the pairs of a lesson."""
        chances = self.score(lesson.context, lesson.one, lesson.other)
        return precision_at_best(lesson.labels, chances)

    def score(self, context: Context, one: Longs, other: Longs) -> Chances:
        """Every mention goes through the encoder once."""
        self.network.eval()
        used, place = np.unique(np.concatenate([one, other]), return_inverse=True)
        vectors = self._vectors(context, used)
        place = place.reshape(2, -1)
        made = np.empty(len(one), np.float32)
        scale, shift = (float(p.detach()) for p in (self.network.scale, self.network.shift))
        for first in range(0, len(one), _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            product = np.einsum("ij,ij->i", vectors[place[0, some]], vectors[place[1, some]])
            made[some] = 1 / (1 + np.exp(-(scale * product + shift)))
        return made

    def _vectors(self, context: Context, mentions: Longs) -> Any:
        order = mentions[np.argsort(context.table.sentence[mentions], kind="stable")]
        made = np.zeros((len(mentions), self.network.project.out_features), np.float32)
        with torch.inference_mode():
            for first in range(0, len(order), 128):
                some = order[first : first + 128]
                vectors = self.network(context.words, context.table, some).numpy()
                made[np.searchsorted(mentions, some)] = vectors
        return made

    def arrays(self) -> dict[str, np.ndarray]:
        return weights_of(self.network)

    @classmethod
    def fit(
        cls, lesson: Lesson, dev: Lesson, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "BiEncoder":
        """Learn from sentences of the topics that the pairs are of."""
        given = {**DEFAULTS, **settings}
        torch.manual_seed(seed)
        network = Network(given["encoder"], given["width"])
        optimiser = optimiser_of(
            network,
            encoder_rate=given["encoder_rate"],
            rate=given["rate"],
            frozen_layers=given["frozen_layers"],
        )
        groups = lesson.groups()
        random = np.random.default_rng(seed)
        plan = [b for _ in range(given["epochs"]) for b in _steps(lesson, groups, given, random)]
        scorer = cls(network)
        teach(
            network,
            optimiser,
            plan,
            lambda mentions: _loss(network, lesson, mentions, given["positive_weight"]),
            lambda: scorer.precision(dev),
            checks=given["epochs"],
            name="bi-encoder",
            report=report,
        )
        return scorer

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> "BiEncoder":
        given = {**DEFAULTS, **settings}
        network = Network(given["encoder"], given["width"])
        load_weights(network, arrays)
        return cls(network)


def _loss(network: Network, lesson: Lesson, mentions: Longs, positive_weight: float) -> Tensor:
    """Binary cross-entropy over every two of the mentions."""
    table = lesson.context.table
    vectors = network(lesson.context.words, table, mentions)
    a, b = torch.triu_indices(len(mentions), len(mentions), 1)
    chain = torch.from_numpy(table.chain[mentions])
    labels = (chain[a] == chain[b]).float()
    scores = network.scale * (vectors[a] * vectors[b]).sum(1) + network.shift
    return nn.functional.binary_cross_entropy_with_logits(
        scores, labels, pos_weight=torch.tensor(positive_weight)
    )


def _steps(
    lesson: Lesson, groups: Longs, given: Mapping[str, Any], random: np.random.Generator
) -> list[Longs]:
    """Sentences of one topic a step, each sentence once an epoch."""
    table = lesson.context.table
    made: list[Longs] = []
    for topic in np.unique(groups).tolist():
        members = np.flatnonzero(groups == topic)
        sentences = random.permutation(np.unique(table.sentence[members]))
        for first in range(0, len(sentences), given["sentences"]):
            some = sentences[first : first + given["sentences"]]
            inside = members[np.isin(table.sentence[members], some)]
            if len(inside) > 1:
                made.append(inside)
    return [made[number] for number in random.permutation(len(made))]


_AT_ONCE = 1 << 16
