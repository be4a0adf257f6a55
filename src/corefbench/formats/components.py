"""Chains from links: the connected components of what refers to what."""

from collections.abc import Iterable


def components(count: int, links: Iterable[tuple[int, int]]) -> list[int]:
    """For each of ``count`` things the number of its component, numbered by first appearance.

    >>> components(5, [(4, 1), (2, 4)])
    [0, 1, 1, 2, 1]
    """
    parent = list(range(count))

    def root(thing: int) -> int:
        while parent[thing] != thing:
            parent[thing] = parent[parent[thing]]
            thing = parent[thing]
        return thing

    for one, other in links:
        low, high = sorted((root(one), root(other)))
        parent[high] = low
    numbers: dict[int, int] = {}
    return [numbers.setdefault(root(thing), len(numbers)) for thing in range(count)]
