"""From scores to chains: every mention joins the most probable chain, unless none is more probable.

Training rewards probability on *any* correct antecedent, so that a mention of a long chain spreads
its probability over many. What counts is the sum over the candidates of a chain, not the best one.
"""

from collections.abc import Sequence

import numpy as np
import torch

from corefbench.records import Record
from corefbench.resolvers.neural.example import Example, Span
from corefbench.resolvers.neural.model import CandidateSpans, CoreferenceModel


class Link(Record, frozen=True):
    """A mention with its antecedent and the confidence of the model."""

    mention: int
    antecedent: int
    """Most probable mention of the chain that it joins; -1 for none."""
    confidence: float
    """Probability of that chain, or of none."""
    candidates: tuple[tuple[int, float], ...] = ()
    """Five most probable antecedents with their probabilities."""


class DecodedDocument(Record, frozen=True):
    """Mentions and their links."""

    spans: tuple[Span, ...]
    links: tuple[Link, ...]

    def chains(self) -> list[list[Span]]:
        """Return all chains, singletons included, in the order of their first mentions."""
        chain_of: dict[int, int] = {}
        chains: list[list[Span]] = []
        for link in self.links:
            number = chain_of.get(link.antecedent, -1)
            if number < 0:
                number = len(chains)
                chains.append([])
            chain_of[link.mention] = number
            chains[number].append(self.spans[link.mention])
        return chains


class EncodedDocument:
    """A document encoded under one scheme, to be decoded with different thresholds."""

    def __init__(self, model: CoreferenceModel, example: Example, scheme: str) -> None:
        self.model = model
        self.example = example
        self._scheme = model.shape.schemes.index(scheme)
        if example.words:
            with torch.inference_mode():
                self._words = model.encode(example)
                self._logits = model.score_mentions(self._words, example, self._scheme)

    def detect(self, threshold: float) -> CandidateSpans:
        """Return the spans that are mentions with more than this probability."""
        if not self.example.words:
            return spans_of_mentions(())
        return self.model.prune(self._logits, threshold)

    def rank(self, spans: CandidateSpans) -> "RankedSpans":
        """Score the antecedents of spans."""
        if not len(spans.start):
            return RankedSpans((), np.zeros((0, 0), np.int64), torch.zeros(0, 1))
        with torch.inference_mode():
            candidates, scores = self.model.rank(self._words, self.example, spans, self._scheme)
        return RankedSpans(spans.list(), candidates.cpu().numpy(), scores.cpu())


class RankedSpans:
    """Spans with their candidates, and the scores of *none* and of each candidate."""

    def __init__(self, spans: Sequence[Span], candidates: np.ndarray, scores: torch.Tensor) -> None:
        self.spans = tuple(spans)
        self.candidates = candidates
        self.scores = scores

    def decode(self, bias: float = 0.0) -> DecodedDocument:
        """Return the links; ``bias`` is added to the score of no antecedent."""
        scores = self.scores.clone()
        scores[:, 0] += bias
        share = scores.softmax(1).numpy()
        return DecodedDocument(spans=self.spans, links=tuple(_links(self.candidates, share)))


def decode(
    model: CoreferenceModel,
    example: Example,
    scheme: str,
    *,
    threshold: float = 0.5,
    mentions: Sequence[Span] | None = None,
    bias: float = 0.0,
) -> DecodedDocument:
    """Resolve one document, with detected mentions or with given ``mentions``.

    ``bias`` is added to the score of no antecedent.
    """
    document = EncodedDocument(model, example, scheme)
    spans = document.detect(threshold) if mentions is None else spans_of_mentions(mentions)
    return document.rank(spans).decode(bias)


def spans_of_mentions(mentions: Sequence[Span]) -> CandidateSpans:
    """Return given mentions as candidate spans."""
    spans = sorted(set(mentions), key=lambda span: (span[0], -span[1]))
    return CandidateSpans(
        start=np.array([start for start, _ in spans], np.int64),
        last=np.array([end - 1 for _, end in spans], np.int64),
        probability=np.ones(len(spans)),
    )


def _links(candidates: np.ndarray, share: np.ndarray) -> list[Link]:
    order = np.argsort(-share[:, 1:], axis=1, kind="stable")
    ranked = np.take_along_axis(candidates, order, axis=1).tolist()
    shares = np.take_along_axis(share[:, 1:], order, axis=1)
    counts = (shares > _MIN_PROBABILITY).sum(axis=1).tolist()
    rows = zip(ranked, shares.tolist(), counts, share[:, 0].tolist(), strict=True)
    chain_of: list[int] = []
    links = []
    for mention, (antecedents, probabilities, count, none) in enumerate(rows):
        best, total = _best_chain(antecedents[:count], probabilities[:count], chain_of)
        is_linked = best >= 0 and total >= none
        chain_of.append(chain_of[best] if is_linked else mention)
        links.append(
            Link(
                mention=mention,
                antecedent=best if is_linked else -1,
                confidence=total if is_linked else none,
                candidates=tuple(zip(antecedents[: min(count, 5)], probabilities, strict=False)),
            )
        )
    return links


def _best_chain(antecedents: list[int], shares: list[float], chain_of: list[int]) -> tuple[int, float]:
    """Return the most probable member of the most probable chain, and the chain's probability."""
    sums: dict[int, float] = {}
    first: dict[int, int] = {}
    for number, share in zip(antecedents, shares, strict=True):
        chain = chain_of[number]
        sums[chain] = sums.get(chain, 0.0) + share
        first.setdefault(chain, number)
    if not sums:
        return -1, 0.0
    # Ties go to the chain that started first.
    best = max(sums, key=lambda chain: (sums[chain], -chain))
    return first[best], sums[best]


_MIN_PROBABILITY = 1e-4
"""Less probable candidates are ignored."""
