"""From scores to chains: every mention joins its best antecedent, if one is better than none."""

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
    """-1 for none."""
    confidence: float
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
    best = share.argmax(axis=1)
    made = []
    for mention, column in enumerate(best.tolist()):
        order = np.argsort(-share[mention, 1:], kind="stable")[:5]
        listed = [(int(candidates[mention, c]), float(share[mention, c + 1])) for c in order]
        made.append(
            Link(
                mention=mention,
                antecedent=int(candidates[mention, column - 1]) if column else -1,
                confidence=float(share[mention, column]),
                candidates=tuple((c, p) for c, p in listed if p > 1e-4),
            )
        )
    return made
