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
    number = model.shape.schemes.index(scheme)
    with torch.inference_mode():
        words = model.encode(example)
        spans = _spans(model, words, example, number, threshold, mentions)
        if not len(spans.start):
            return Decoded(spans=(), links=())
        candidates, scores = model.rank(words, example, spans, number)
        scores[:, 0] += bias
        share = scores.softmax(1).numpy()
    return Decoded(spans=tuple(spans.list()), links=tuple(_links(candidates.numpy(), share)))


def _spans(
    model: Model,
    words: torch.Tensor,
    example: Example,
    scheme: int,
    threshold: float,
    mentions: Sequence[Span] | None,
) -> Spans:
    if mentions is None:
        return model.prune(model.score_mentions(words, example, scheme), threshold)
    given = sorted(set(mentions), key=lambda span: (span[0], -span[1]))
    return Spans(
        start=np.array([start for start, _ in given], np.int64),
        last=np.array([end - 1 for _, end in given], np.int64),
        probability=np.ones(len(given)),
    )


def _links(candidates: np.ndarray, share: np.ndarray) -> list[Link]:
    chain_of = np.full(len(share), -1, np.int64)
    made = []
    for mention in range(len(share)):
        order = np.argsort(-share[mention, 1:], kind="stable")
        order = order[share[mention, order + 1] > _LEAST]
        found, shares = candidates[mention, order], share[mention, order + 1]
        chains, first, of = np.unique(chain_of[found], return_index=True, return_inverse=True)
        sums = np.bincount(of, shares, len(chains))
        best = int(sums.argmax()) if len(sums) else -1
        linked = best >= 0 and sums[best] >= share[mention, 0]
        chain_of[mention] = chains[best] if linked else mention
        made.append(
            Link(
                mention=mention,
                antecedent=int(found[first[best]]) if linked else -1,
                confidence=float(sums[best] if linked else share[mention, 0]),
                candidates=tuple(zip(found[:5].tolist(), shares[:5].tolist(), strict=True)),
            )
        )
    return made


_LEAST = 1e-4
"""A candidate less probable than this is none."""
