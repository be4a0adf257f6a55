"""From scores to chains: every mention joins the most probable chain, if one is better than none.

Training asks for probability on *any* right antecedent, so that a mention of a long chain spreads
its own over many: what counts is the sum over the candidates of a chain, not the best of them.
"""

from collections.abc import Sequence

import numpy as np
import torch

from corefbench.record import Record
from corefbench.resolvers.neural.example import Example, Span
from corefbench.resolvers.neural.model import Model, Spans


class Link(Record, frozen=True):
    """A mention, its antecedent, and how sure the model is."""

    mention: int
    antecedent: int
    """The most probable mention of the chain that it joins; -1 for none."""
    confidence: float
    """The probability of that chain, or of none."""
    candidates: tuple[tuple[int, float], ...] = ()
    """The five most probable antecedents with their probabilities."""


class Decoded(Record, frozen=True):
    """The mentions found, and their links."""

    spans: tuple[Span, ...]
    links: tuple[Link, ...]

    def chains(self) -> list[list[Span]]:
        """All chains, singletons too, in the order of their first mentions."""
        chain_of: dict[int, int] = {}
        made: list[list[Span]] = []
        for link in self.links:
            number = chain_of.get(link.antecedent, -1)
            if number < 0:
                number = len(made)
                made.append([])
            chain_of[link.mention] = number
            made[number].append(self.spans[link.mention])
        return made


class Reading:
    """One document under one scheme, encoded once, to be decoded in as many ways as one likes."""

    def __init__(self, model: Model, example: Example, scheme: str) -> None:
        self.model = model
        self.example = example
        self._scheme = model.shape.schemes.index(scheme)
        if example.words:
            with torch.inference_mode():
                self._words = model.encode(example)
                self._logits = model.score_mentions(self._words, example, self._scheme)

    def detected(self, threshold: float) -> Spans:
        """The spans that are mentions with more than this probability."""
        if not self.example.words:
            return given_spans(())
        return self.model.prune(self._logits, threshold)

    def ranked(self, spans: Spans) -> "Ranked":
        """Which antecedents the spans may have."""
        if not len(spans.start):
            return Ranked((), np.zeros((0, 0), np.int64), torch.zeros(0, 1))
        with torch.inference_mode():
            found, scores = self.model.rank(self._words, self.example, spans, self._scheme)
        return Ranked(spans.list(), found.cpu().numpy(), scores.cpu())


class Ranked:
    """Spans, the numbers of their candidates, and the scores of *none* and of each."""

    def __init__(self, spans: Sequence[Span], candidates: np.ndarray, scores: torch.Tensor) -> None:
        self.spans = tuple(spans)
        self.candidates = candidates
        self.scores = scores

    def decoded(self, bias: float = 0.0) -> Decoded:
        """The links, ``bias`` being added to the score of having no antecedent."""
        scores = self.scores.clone()
        scores[:, 0] += bias
        share = scores.softmax(1).numpy()
        return Decoded(spans=self.spans, links=tuple(_links(self.candidates, share)))


def decode(
    model: Model,
    example: Example,
    scheme: str,
    *,
    threshold: float = 0.5,
    mentions: Sequence[Span] | None = None,
    bias: float = 0.0,
) -> Decoded:
    """Resolve one document; ``mentions`` are given ones, in place of those found.

    ``bias`` is added to the score of having no antecedent.
    """
    reading = Reading(model, example, scheme)
    spans = reading.detected(threshold) if mentions is None else given_spans(mentions)
    return reading.ranked(spans).decoded(bias)


def given_spans(mentions: Sequence[Span]) -> Spans:
    """Mentions as if they had been found."""
    given = sorted(set(mentions), key=lambda span: (span[0], -span[1]))
    return Spans(
        start=np.array([start for start, _ in given], np.int64),
        last=np.array([end - 1 for _, end in given], np.int64),
        probability=np.ones(len(given)),
    )


def _links(candidates: np.ndarray, share: np.ndarray) -> list[Link]:
    order = np.argsort(-share[:, 1:], axis=1, kind="stable")
    found = np.take_along_axis(candidates, order, axis=1).tolist()
    shares = np.take_along_axis(share[:, 1:], order, axis=1)
    likely = (shares > _LEAST).sum(axis=1).tolist()
    rows = zip(found, shares.tolist(), likely, share[:, 0].tolist(), strict=True)
    chain_of: list[int] = []
    made = []
    for mention, (numbers, probable, many, none) in enumerate(rows):
        best, total = _best(numbers[:many], probable[:many], chain_of)
        linked = best >= 0 and total >= none
        chain_of.append(chain_of[best] if linked else mention)
        made.append(
            Link(
                mention=mention,
                antecedent=best if linked else -1,
                confidence=total if linked else none,
                candidates=tuple(zip(numbers[: min(many, 5)], probable, strict=False)),
            )
        )
    return made


def _best(found: list[int], shares: list[float], chain_of: list[int]) -> tuple[int, float]:
    """The most probable member of the most probable chain, and the probability of the chain."""
    sums: dict[int, float] = {}
    first: dict[int, int] = {}
    for number, share in zip(found, shares, strict=True):
        chain = chain_of[number]
        sums[chain] = sums.get(chain, 0.0) + share
        first.setdefault(chain, number)
    if not sums:
        return -1, 0.0
    # Of two that are as probable, the one that began first.
    best = max(sums, key=lambda chain: (sums[chain], -chain))
    return first[best], sums[best]


_LEAST = 1e-4
"""A candidate less probable than this is none."""
