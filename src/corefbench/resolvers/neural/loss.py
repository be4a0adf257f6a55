"""What training minimises: wrong mentions, and probability away from the right antecedents."""

import torch
from torch import Tensor
from torch.nn import functional

from corefbench.resolvers.neural.example import Example, Span
from corefbench.resolvers.neural.model import Model, Spans

_SCREEN = 0.15
"""Spans above this probability are trained to find their antecedents."""
_FEWEST = 100
"""Spans that may stand beside those of the key, where it has fewer."""


def loss(model: Model, example: Example, *, link: float = 1.0) -> Tensor:
    """The sum over the schemes that annotate the example, the words being encoded once."""
    words = model.encode(example)
    total = words.new_zeros(())
    for name, chains in example.chains.items():
        scheme = model.shape.schemes.index(name)
        logits = model.score_mentions(words, example, scheme)
        gold = {span: number for number, chain in enumerate(chains) for span in chain}
        total = total + _mention_loss(logits, list(gold))
        if link:
            spans = model.prune(logits, _SCREEN, also=list(gold), most=max(len(gold), _FEWEST))
            total = total + link * _link_loss(model, words, example, spans, gold, scheme)
    return total / max(len(example.chains), 1)


def _mention_loss(logits: Tensor, gold: list[Span]) -> Tensor:
    target = torch.zeros_like(logits)
    longest = logits.shape[1]
    inside = [(s, e - s - 1) for s, e in gold if e - s <= longest]
    if inside:
        rows, lengths = torch.tensor(inside, device=logits.device).T
        target[rows, lengths] = 1.0
    # A mention that the sentences of the text cut in two cannot be found.
    target = target * (logits > -1e3)
    summed = functional.binary_cross_entropy_with_logits(logits, target, reduction="sum")
    return summed / max(len(gold), 1)


def _link_loss(
    model: Model, words: Tensor, example: Example, spans: Spans, gold: dict[Span, int], scheme: int
) -> Tensor:
    """−log of the probability of all antecedents that are right; *none* where there is none."""
    if len(spans.start) < 2:
        return words.new_zeros(())
    candidates, scores = model.rank(words, example, spans, scheme)
    chain = torch.tensor([gold.get(span, -1) for span in spans.list()], device=words.device)
    right = (chain[candidates] == chain[:, None]) & (chain >= 0)[:, None]
    right &= scores[:, 1:] > -1e3
    none = ~right.any(1, keepdim=True)
    right = torch.cat([none, right], dim=1)
    lost = scores.logsumexp(1) - scores.masked_fill(~right, -1e4).logsumexp(1)
    return lost.mean()
