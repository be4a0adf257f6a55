"""An encoder that reads both sentences at once, for the pairs that a cheap scorer leaves open.

A pair is written ``[CLS] … [m] mention [/m] … [SEP] … [m] mention [/m] … [SEP]``; the score is
read off the vectors of the two mentions and their product. Pairs that share no candidate filter
(the product of their span vectors is low and the lemmas differ) are taken as not coreferent.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from corefbench.record import Flags, Longs
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.scorer import Chances, Lesson, Report, precision_at_best
from corefbench.resolvers.across.teaching import teach
from corefbench.resolvers.neural.encoder import DEFAULT, Encoder
from corefbench.resolvers.neural.fine_tuning import (
    load_weights,
    optimiser_of,
    weights_of,
)
from corefbench.resolvers.neural.windows import Window

DEFAULTS: dict[str, Any] = {
    "encoder": DEFAULT,
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
"""``around``: words kept on each side of a mention; ``least``: the product of head vectors below
which pairs with different lemmas are not read; ``pairs``: how many are learned from an epoch;
``checked``: how many development pairs say how good it is."""


class Network(nn.Module):
    """Two sentences in one window to a score."""

    def __init__(self, encoder: str, around: int) -> None:
        super().__init__()
        self.encoder = Encoder(encoder)
        self.around = around
        self.out = nn.Sequential(
            nn.Linear(3 * self.encoder.width, 256), nn.GELU(), nn.Dropout(0.1), nn.Linear(256, 1)
        )

    def forward(self, context: Context, one: Sequence[int], other: Sequence[int]) -> Tensor:
        """A number for each pair, in that order."""
        windows, places = [], []
        for a, b in zip(one, other, strict=True):
            left, right = self._words(context, a), self._words(context, b)
            windows.append(self._window(left[0], right[0]))
            # The sentence after the separator; what a window cannot hold is cut off at its end.
            middle, most = len(left[0]) + 1, windows[-1].words
            place = (*left[1], right[1][0] + middle, right[1][1] + middle)
            places.append([min(p, most - 1 + number % 2) for number, p in enumerate(place)])
        vectors = self.encoder(windows)
        ends = np.cumsum([window.words for window in windows])
        first = torch.from_numpy(ends - [window.words for window in windows])
        where = torch.tensor(places)
        sums = torch.cat([vectors.new_zeros(1, vectors.shape[1]), vectors.cumsum(0)])

        def mean(begin: int) -> Tensor:
            start, end = first + where[:, begin], first + where[:, begin + 1]
            return (sums[end] - sums[start]) / (end - start)[:, None]

        a_vector, b_vector = mean(0), mean(2)
        joined = torch.cat([a_vector, b_vector, a_vector * b_vector], 1)
        made: Tensor = self.out(joined).squeeze(-1)
        return made

    def _words(self, context: Context, mention: int) -> tuple[list[str], tuple[int, int]]:
        """The sentence around a mention, marked, and where the mention stands in it."""
        words, table = context.words, context.table
        start, end, sentence = (
            int(column[mention]) for column in (table.start, table.end, table.sentence)
        )
        begin = max(int(words.sentences[sentence]), start - self.around)
        finish = min(int(words.sentences[sentence + 1]), end + self.around)
        finish, end = max(finish, end), min(end, start + 10)
        before, inside = list(words.forms[begin:start]), list(words.forms[start:end])
        text = [*before, "[", *inside, "]", *words.forms[end:finish]]
        return text, (len(before) + 1, len(before) + 1 + len(inside))

    def _window(self, left: list[str], right: list[str]) -> Window:
        between = self.encoder.tokeniser.separator or "."
        return self.encoder.windows([*left, between, *right], [0])[0]


class CrossEncoder:
    """Reads the pairs that are worth it."""

    def __init__(self, network: Network, least: float) -> None:
        self.network = network
        self.least = least

    def precision(self, lesson: Lesson) -> float:
        """Average precision over the pairs of a lesson."""
        chances = self.score(lesson.context, lesson.one, lesson.other)
        return precision_at_best(lesson.labels, chances)

    def score(self, context: Context, one: Longs, other: Longs) -> Chances:
        """0 for pairs that are not read; each is read in the one order and in the other."""
        self.network.eval()
        made = np.zeros(len(one), np.float32)
        rows = np.flatnonzero(worth(context, one, other, self.least))
        with torch.inference_mode():
            for first in range(0, len(rows), 64):
                some = rows[first : first + 64]
                a, b = one[some].tolist(), other[some].tolist()
                both = (self.network(context, a, b) + self.network(context, b, a)) / 2
                made[some] = torch.sigmoid(both).numpy()
        return made

    def arrays(self) -> dict[str, np.ndarray]:
        return weights_of(self.network)

    @classmethod
    def fit(
        cls, lesson: Lesson, dev: Lesson, settings: Mapping[str, Any], seed: int, report: Report
    ) -> "CrossEncoder":
        """Learn from pairs that are worth reading."""
        given = {**DEFAULTS, **settings}
        torch.manual_seed(seed)
        network = Network(given["encoder"], given["around"])
        optimiser = optimiser_of(
            network,
            encoder_rate=given["encoder_rate"],
            rate=given["rate"],
            frozen_layers=given["frozen_layers"],
        )
        random = np.random.default_rng(seed)
        rows = np.flatnonzero(worth(lesson.context, lesson.one, lesson.other, given["least"]))
        plan = [b for _ in range(given["epochs"]) for b in _steps(lesson, rows, given, random)]
        seen = dev.only(np.sort(random.permutation(len(dev.one))[: given["checked"]]))
        scorer = cls(network, given["least"])
        teach(
            network,
            optimiser,
            plan,
            lambda some: _loss(network, lesson, some),
            lambda: scorer.precision(seen),
            checks=given["epochs"],
            name="cross-encoder",
            report=report,
        )
        return scorer

    @classmethod
    def load(cls, settings: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> "CrossEncoder":
        given = {**DEFAULTS, **settings}
        network = Network(given["encoder"], given["around"])
        load_weights(network, arrays)
        return cls(network, given["least"])


def worth(context: Context, one: Longs, other: Longs, least: float) -> Flags:
    """Pairs with one lemma, or with heads that are alike in context."""
    view = {view.name: view for view in context.views}["head vector"]
    alike = view.similarity(one, other) >= least
    return np.asarray(alike | (context.lemma[one] == context.lemma[other]), np.bool_)


def _steps(
    lesson: Lesson, rows: Longs, given: Mapping[str, Any], random: np.random.Generator
) -> list[Longs]:
    """Pairs of like length a step, so that little is filled up; the steps in an order of chance."""
    some = random.permutation(rows)[: given["pairs"]]
    table, words = lesson.context.table, lesson.context.words
    long = np.minimum(np.diff(words.sentences)[table.sentence], 2 * given["around"])
    shaken = long[lesson.one[some]] + long[lesson.other[some]] + random.uniform(-4, 4, len(some))
    some = some[np.argsort(shaken)]
    made = [some[a : a + given["batch"]] for a in range(0, len(some), given["batch"])]
    return [made[number] for number in random.permutation(len(made))]


def _loss(network: Network, lesson: Lesson, rows: Longs) -> Tensor:
    """Binary cross-entropy; half the pairs are read the other way round."""
    one, other = lesson.one[rows].tolist(), lesson.other[rows].tolist()
    swapped = [(b, a) if (a + b) % 2 else (a, b) for a, b in zip(one, other, strict=True)]
    scores = network(lesson.context, [a for a, _ in swapped], [b for _, b in swapped])
    labels = torch.from_numpy(lesson.labels[rows].astype(np.float32))
    return nn.functional.binary_cross_entropy_with_logits(scores, labels)
