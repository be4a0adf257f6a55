"""Tasks 2 and 4: MUC, and MUC in which what is kept of a chain is weighted by overlap.

hits = Σ over the parts B that key and response chains share, (|B| − 1) · mean w(m), m ∈ B

R = hits ÷ Σₖ (|k| − 1)        P = hits ÷ Σᵣ (|r| − 1)        (Vilain et al. 1995)

Mentions of the two sides are paired one-to-one with the greatest sum of overlaps; w(m) is the
overlap of m's pair. In task 2 mentions are given, every w is 1, and this is MUC. The paper does not
print the formula of task 4: that parts are weighted by the mean of their overlaps is our decision;
``min`` takes the least, ``threshold`` pairs only what overlaps by half and counts it whole.
"""

from collections.abc import Mapping, Sequence

from corefbench.are.gold import Gold
from corefbench.are.overlap import Span, Weighting, align
from corefbench.are.result import DocumentScore


def score_given(gold: Gold, chains: Sequence[Sequence[int]]) -> DocumentScore:
    """Task 2: chains of the key's mentions, by number."""
    chain_of = {number: place for place, chain in enumerate(chains) for number in chain}
    pairs = {number: (chain, 1.0) for number, chain in chain_of.items()}
    return _score(gold, pairs, links_of(chains), "mean")


def score_raw(
    gold: Gold, chains: Sequence[Sequence[Span]], weighting: Weighting = "mean"
) -> DocumentScore:
    """Task 4: chains of spans of words."""
    found = [(span, place) for place, chain in enumerate(chains) for span in chain]
    aligned = align(gold.spans, [span for span, _ in found], weighting)
    pairs = {number: (found[other][1], worth) for number, (other, worth) in aligned.items()}
    return _score(gold, pairs, links_of(chains), weighting)


def links_of(chains: Sequence[Sequence[object]]) -> int:
    """Σ (|r| − 1) over chains.

    >>> links_of([[1, 2, 3], [4], []])
    2
    """
    return sum(max(len(chain) - 1, 0) for chain in chains)


def _score(
    gold: Gold, pairs: Mapping[int, tuple[int, float]], links: int, weighting: Weighting
) -> DocumentScore:
    """``pairs`` say of a key mention the response chain of its pair, and what that counts."""
    parts: dict[tuple[int, int], list[float]] = {}
    for number, (chain, worth) in pairs.items():
        parts.setdefault((gold.chains[number], chain), []).append(worth)
    return DocumentScore(
        document=gold.document,
        hits=sum(_part(worths, weighting) for worths in parts.values()),
        key_total=links_of(list(gold.members.values())),
        response_total=links,
    )


def _part(worths: Sequence[float], weighting: Weighting) -> float:
    kept = min(worths) if weighting == "min" else sum(worths) / len(worths)
    return (len(worths) - 1) * kept
