"""The measures that look at mentions, from their definitions, in exact fractions.

Each takes one document and returns hits and total of recall, hits and total of precision.
"""

from fractions import Fraction

from tests.properties.documents import Mention, Pair, Side
from tests.reference.exact_scorer import Counts, best_assignment


def words(mention: Mention) -> frozenset[int]:
    return frozenset(word for start, end in mention for word in range(start, end))


def mor(pair: Pair) -> Counts:
    """The words shared under the best one-to-one pairing of the mentions."""
    key, response = ([words(m) for chain in side.chains for m in chain] for side in pair[:2])
    best = best_assignment(key, response, lambda k, r: Fraction(len(k & r)))
    return best, Fraction(sum(map(len, key))), best, Fraction(sum(map(len, response)))


def non_referring(pair: Pair) -> Counts:
    """The spans that both sides call non-referring."""
    key, response = {*pair.key.silent}, {*pair.response.silent}
    both = Fraction(len(key & response))
    return both, Fraction(len(key)), both, Fraction(len(response))


def bridging(pair: Pair, level: str) -> Counts:
    """Anaphors that both sides have; at the other levels with antecedents that agree."""
    key, response = dict(pair.key.bridges), dict(pair.response.bridges)
    entity = {mention: n for n, chain in enumerate(pair.key.chains) for mention in chain}
    right = 0
    for anaphor in key.keys() & response.keys():
        ours, theirs = key[anaphor], response[anaphor]
        right += (
            level == "anaphor"
            or ours == theirs
            or (level == "entity" and theirs in entity and entity[ours] == entity[theirs])
        )
    return Fraction(right), Fraction(len(key)), Fraction(right), Fraction(len(response))


def zero(pair: Pair) -> Counts:
    """Zeros that are not the first of their chain, linked to an antecedent of it.

    TP, FN, WL of the key's; FP: the response's that answer none of these.
    """
    key, response = _places(pair.key), _places(pair.response)
    right = missed = wrong = 0
    answered = set()
    for mention, (_, before) in key.items():
        if not before or not _is_zero(mention, pair):
            continue
        if mention in response:
            answered.add(mention)
        if mention not in response or not response[mention][1]:
            missed += 1
            continue
        home = response[mention][0]
        shared = any(m in response and response[m][0] == home for m in before)
        right, wrong = right + shared, wrong + (not shared)
    spurious = sum(
        bool(before) and _is_zero(mention, pair) and mention not in answered
        for mention, (_, before) in response.items()
    )
    return (Fraction(right), Fraction(right + missed + wrong), Fraction(right), Fraction(right + spurious + wrong))


def _is_zero(mention: Mention, pair: Pair) -> bool:
    """Heads are not known: the first word decides."""
    return mention[0][0] in pair.empty


def _places(side: Side) -> dict[Mention, tuple[int, list[Mention]]]:
    """Of every mention its chain and the mentions of it that come before, in the order of text."""
    found = {}
    for number, chain in enumerate(side.chains):
        ordered = sorted(chain, key=lambda m: (m[0][0], m[-1][1], len(words(m))))
        for place, mention in enumerate(ordered):
            found[mention] = number, ordered[:place]
    return found
