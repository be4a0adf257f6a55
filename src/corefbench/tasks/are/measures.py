"""Score pronouns (tasks 1 and 3) and chains (tasks 2 and 4) of one document.

hits = Σ over the parts B that key and response chains share, (|B| − 1) · mean w(m), m ∈ B

R = hits ÷ Σₖ (|k| − 1)        P = hits ÷ Σᵣ (|r| − 1)        (Vilain et al. 1995)

Mentions of the two sides are paired one-to-one with the greatest sum of overlaps; w(m) is the
overlap of m's pair. In task 2 mentions are given, every w is 1, and this is MUC. The paper does not
print the formula of task 4: that parts are weighted by the mean of their overlaps is our decision;
``min`` takes the least, ``threshold`` pairs only what overlaps by half and counts it whole.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from corefbench.records import Record
from corefbench.tasks.are.key import DocumentKey
from corefbench.tasks.are.overlap import Span, Weighting, align_spans, overlap, weigh_overlap
from corefbench.tasks.are.result import DocumentScore, Task

E = TypeVar("E", int, Span)


class TaskAnswer(Record, frozen=True):
    """The answer of a participant to one document, in the terms of its task.

    Entities are mentions of the input, by number, or half-open spans of its words.
    """

    links: Mapping[int, int] = {}
    """Task 1."""
    chains: tuple[tuple[int, ...], ...] = ()
    """Task 2."""
    raw_links: Mapping[Span, Span] = {}
    """Task 3."""
    raw_chains: tuple[tuple[Span, ...], ...] = ()
    """Task 4."""


def score_answer(task: Task, gold: DocumentKey, answer: TaskAnswer, weighting: Weighting = "mean") -> DocumentScore:
    """Score the answer to one document."""
    if task.gives_entities:
        return score_task_2(gold, answer.chains) if task.asks_chains else score_task_1(gold, answer.links)
    if task.asks_chains:
        return score_task_4(gold, answer.raw_chains, weighting)
    return score_task_3(gold, answer.raw_links, weighting)


def answer_credit(
    pronoun: E, answers: Mapping[E, E], worth: Callable[[E, E], float], is_pronoun: Callable[[E], bool]
) -> float:
    """Return the credit for the answer to one pronoun: 0, ½ or 1.

    0  no answer, or an answer outside the pronoun's chain
    ½  a pronoun of the chain that does not lead further: following the answers within the chain, no
       name or noun is reached (a wrong step, no answer, a cycle)
    1  a name or noun of the chain, or a pronoun that leads to one

    In task 3 that is multiplied by the best overlap of the answer with a mention of the chain, and
    a step is in the chain if it overlaps one at all (Orăsan et al. 2008, sections 3.3.1 and 3.3.3).
    ``worth`` returns how much of the answer to a pronoun lies in its chain.

    >>> chain = {"Ann", "she", "her"}
    >>> def worth(one: str, other: str) -> float: return float(other in chain - {one})
    >>> answers = {"she": "Ann", "her": "she", "hers": "her"}
    >>> [answer_credit(p, answers, worth, str.islower) for p in ("her", "it")]
    [1.0, 0.0]
    """
    if pronoun not in answers:
        return 0.0
    step = answers[pronoun]
    gain = worth(pronoun, step)
    # Answers may point at each other in a circle.
    seen = {pronoun}
    while gain and is_pronoun(step):
        seen.add(step)
        if step not in answers or answers[step] in seen or not worth(step, answers[step]):
            return gain / 2
        step = answers[step]
    return gain


def score_task_1(gold: DocumentKey, answers: Mapping[int, int]) -> DocumentScore:
    """Score task 1; answers are mentions of the key, by number."""

    def in_chain(pronoun: int, answer: int) -> float:
        return float(answer != pronoun and gold.chains[answer] == gold.chains[pronoun])

    def is_pronoun(number: int) -> bool:
        return gold.is_pronoun(gold.spans[number])

    hits = sum(answer_credit(number, answers, in_chain, is_pronoun) for number in gold.listed)
    attempted = sum(number in answers for number in gold.listed)
    return DocumentScore(document=gold.document, hits=hits, key_total=len(gold.listed), response_total=attempted)


def score_task_3(gold: DocumentKey, answers: Mapping[Span, Span], weighting: Weighting = "mean") -> DocumentScore:
    """Score task 3; pronouns and answers are spans of words.

    A pronoun that is not to be resolved earns nothing and counts as attempted.
    """
    hits = 0.0
    for number in gold.listed:
        chain = [gold.spans[member] for member in gold.members[gold.chains[number]]]

        def best(itself: Span, answer: Span, chain: list[Span] = chain) -> float:
            others = (overlap(answer, span) for span in chain if span != itself)
            return weigh_overlap(max(others, default=0.0), weighting)

        hits += answer_credit(gold.spans[number], answers, best, gold.is_pronoun)
    return DocumentScore(document=gold.document, hits=hits, key_total=len(gold.listed), response_total=len(answers))


def score_task_2(gold: DocumentKey, chains: Sequence[Sequence[int]]) -> DocumentScore:
    """Score task 2; chains are of the key's mentions, by number."""
    chain_of = {number: chain_number for chain_number, chain in enumerate(chains) for number in chain}
    pairs = {number: (chain, 1.0) for number, chain in chain_of.items()}
    return _weighted_muc(gold, pairs, count_links(chains), "mean")


def score_task_4(gold: DocumentKey, chains: Sequence[Sequence[Span]], weighting: Weighting = "mean") -> DocumentScore:
    """Score task 4; chains are of spans of words."""
    response_spans = [(span, chain_number) for chain_number, chain in enumerate(chains) for span in chain]
    aligned = align_spans(gold.spans, [span for span, _ in response_spans], weighting)
    pairs = {number: (response_spans[other][1], worth) for number, (other, worth) in aligned.items()}
    return _weighted_muc(gold, pairs, count_links(chains), weighting)


def count_links(chains: Sequence[Sequence[object]]) -> int:
    """Return Σ (|r| − 1) over chains.

    >>> count_links([[1, 2, 3], [4], []])
    2
    """
    return sum(max(len(chain) - 1, 0) for chain in chains)


def _weighted_muc(
    gold: DocumentKey, pairs: Mapping[int, tuple[int, float]], links: int, weighting: Weighting
) -> DocumentScore:
    """Compute weighted MUC; ``pairs`` maps key mentions to a response chain and a weight."""
    parts: dict[tuple[int, int], list[float]] = {}
    for number, (chain, worth) in pairs.items():
        parts.setdefault((gold.chains[number], chain), []).append(worth)
    hits = sum(
        (len(worths) - 1) * (min(worths) if weighting == "min" else sum(worths) / len(worths))
        for worths in parts.values()
    )
    key_links = count_links(list(gold.members.values()))
    return DocumentScore(document=gold.document, hits=hits, key_total=key_links, response_total=links)
