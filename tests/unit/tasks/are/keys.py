"""Keys written by hand: mentions by name, in chains."""

from collections.abc import Collection, Mapping, Sequence

from corefbench.tasks.are.key import DocumentKey
from corefbench.tasks.are.overlap import Span


def gold(
    places: Mapping[str, Span],
    chains: Sequence[Sequence[str]],
    pronouns: Collection[str] = (),
    listed: Collection[str] | None = None,
) -> DocumentKey:
    """A key whose mentions are called by their names; pronouns are to be resolved unless told."""
    names = sorted(places, key=lambda name: (places[name][0], -places[name][1]))
    chain_of = {name: number for number, chain in enumerate(chains) for name in chain}
    words = max(end for _, end in places.values())
    asked = pronouns if listed is None else listed
    return DocumentKey(
        document="d",
        spans=tuple(places[name] for name in names),
        chains=tuple(chain_of.get(name, -1 - place) for place, name in enumerate(names)),
        ids=tuple(names),
        listed=tuple(n for n, name in enumerate(names) if name in asked),
        pronouns=frozenset(places[name][0] for name in pronouns),
        third_person=frozenset(places[name][0] for name in asked),
        nodes=tuple(str(number + 1) for number in range(words + 20)),
    )
