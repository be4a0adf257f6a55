"""Tasks 1 and 3: what the answers to pronouns are worth, 0, ½ or 1.

0  no answer, or none of the pronoun's chain
½  a pronoun of the chain that does not lead further: following the answers, every step in the
   chain, no name or noun is reached (a wrong step, no answer, a circle)
1  a name or noun of the chain, or a pronoun that leads to one

In task 3 that is multiplied by the best overlap of the answer with a mention of the chain, and a
step is in the chain if it overlaps one at all (Orăsan et al. 2008, sections 3.3.1 and 3.3.3).
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

from corefbench.are.gold import Gold
from corefbench.are.overlap import Span, Weighting, overlap, weighed
from corefbench.are.result import DocumentScore

E = TypeVar("E", int, Span)


def credit(
    pronoun: E,
    answers: Mapping[E, E],
    worth: Callable[[E, E], float],
    is_pronoun: Callable[[E], bool],
) -> float:
    """What the answer to one pronoun is worth.

    ``worth`` says of a pronoun and its answer how much of it lies in the chain that is asked for.

    >>> chain = {"Ann", "she", "her"}
    >>> def worth(one: str, other: str) -> float: return float(other in chain - {one})
    >>> answers = {"she": "Ann", "her": "she", "hers": "her"}
    >>> [credit(p, answers, worth, str.islower) for p in ("her", "it")]
    [1.0, 0.0]
    """
    if pronoun not in answers:
        return 0.0
    step = answers[pronoun]
    gain = worth(pronoun, step)
    seen = {pronoun}
    while gain and is_pronoun(step):
        seen.add(step)
        if step not in answers or answers[step] in seen or not worth(step, answers[step]):
            return gain / 2
        step = answers[step]
    return gain


def score_listed(gold: Gold, answers: Mapping[int, int]) -> DocumentScore:
    """Task 1: answers are mentions of the key, by number."""

    def in_chain(pronoun: int, answer: int) -> float:
        return float(answer != pronoun and gold.chains[answer] == gold.chains[pronoun])

    def is_pronoun(number: int) -> bool:
        return gold.is_pronoun(gold.spans[number])

    hits = sum(credit(number, answers, in_chain, is_pronoun) for number in gold.listed)
    attempted = sum(number in answers for number in gold.listed)
    return DocumentScore(
        document=gold.document, hits=hits, key_total=len(gold.listed), response_total=attempted
    )


def score_found(
    gold: Gold, answers: Mapping[Span, Span], weighting: Weighting = "mean"
) -> DocumentScore:
    """Task 3: pronouns and answers are spans of words. A pronoun that is not to be resolved earns
    nothing, and counts as attempted."""
    hits = 0.0
    for number in gold.listed:
        chain = [gold.spans[member] for member in gold.members[gold.chains[number]]]

        def best(itself: Span, answer: Span, chain: list[Span] = chain) -> float:
            others = (overlap(answer, span) for span in chain if span != itself)
            return weighed(max(others, default=0.0), weighting)

        hits += credit(gold.spans[number], answers, best, gold.is_pronoun)
    return DocumentScore(
        document=gold.document,
        hits=hits,
        key_total=len(gold.listed),
        response_total=len(answers),
    )
