"""What can be done to documents: changes of which it is known what they do to a score."""

import random
from collections.abc import Callable

from tests.properties.documents import SIZE, Mention, Pair, Side

ELSEWHERE: Mention = ((SIZE - 1, SIZE),)
"""A mention that no generated document has."""


def exchanged(pair: Pair) -> Pair:
    return pair._replace(key=pair.response, response=pair.key)


def shuffled(side: Side, dice: random.Random) -> Side:
    """The chains in another order, so under other labels, and their mentions too."""
    order = dice.sample(range(len(side.chains)), len(side.chains))
    number = {old: new for new, old in enumerate(order)}
    return Side(
        tuple(tuple(dice.sample(side.chains[n], len(side.chains[n]))) for n in order),
        tuple(dice.sample(side.silent, len(side.silent))),
        tuple(dice.sample(side.bridges, len(side.bridges))),
        tuple((number[n], tuple(number[e] for e in some)) for n, some in side.plurals),
    )


def moved(pair: Pair, by: int) -> Pair:
    """All of it so many words further on."""
    return pair._replace(
        key=_moved(pair.key, by),
        response=_moved(pair.response, by),
        empty=frozenset(i + by for i in pair.empty),
        size=pair.size + by,
    )


def apart(pair: Pair) -> Pair:
    """The response somewhere else altogether, on words like those it was on."""
    return pair._replace(
        response=_moved(pair.response, pair.size),
        empty=pair.empty | {i + pair.size for i in pair.empty},
        size=2 * pair.size,
    )


def silenced(pair: Pair) -> Pair:
    return pair._replace(response=Side())


def with_singleton(side: Side) -> Side:
    return side._replace(chains=(*side.chains, (ELSEWHERE,)))


def split(side: Side, dice: random.Random) -> Side:
    """One chain of the side cut in two; split antecedents are left out."""
    some = [n for n, chain in enumerate(side.chains) if len(chain) > 1]
    if not some:
        return side._replace(plurals=())
    chosen = dice.choice(some)
    chain = side.chains[chosen]
    cut = dice.randrange(1, len(chain))
    rest = (*side.chains[:chosen], chain[:cut], *side.chains[chosen + 1 :], chain[cut:])
    return side._replace(chains=rest, plurals=())


def without_singletons(pair: Pair) -> Pair:
    """Every chain has two mentions or more; what hung on the others goes."""
    return pair._replace(key=_linked(pair.key), response=_linked(pair.response))


def _linked(side: Side) -> Side:
    kept = tuple(chain for chain in side.chains if len(chain) > 1)
    there = {mention for chain in kept for mention in chain}
    bridges = tuple(bridge for bridge in side.bridges if there.issuperset(bridge))
    return Side(kept, (), bridges)


def _moved(side: Side, by: int) -> Side:
    def move(mention: Mention) -> Mention:
        return tuple((a + by, b + by) for a, b in mention)

    return _renamed(side, move)


def _renamed(side: Side, change: Callable[[Mention], Mention]) -> Side:
    return side._replace(
        chains=tuple(tuple(map(change, chain)) for chain in side.chains),
        silent=tuple(map(change, side.silent)),
        bridges=tuple((change(a), change(b)) for a, b in side.bridges),
    )
