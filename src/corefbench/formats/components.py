"""Chains from links: the connected components of what refers to what."""

from collections.abc import Iterable


def components(count: int, links: Iterable[tuple[int, int]]) -> list[int]:
    """For each of ``count`` things the number of its component, numbered by first appearance.

    >>> components(5, [(4, 1), (2, 4)])
    [0, 1, 1, 2, 1]
    """
    parent = list(range(count))
    for one, other in links:
        if one < other:
            one, other = other, one
        if parent[one] == one:  # no parent yet, and what comes before it will do as well as a root
            parent[one] = other
            continue
        while parent[one] != one:
            parent[one] = one = parent[parent[one]]
        while parent[other] != other:
            parent[other] = other = parent[parent[other]]
        if one < other:
            parent[other] = one
        else:
            parent[one] = other
    numbers: list[int] = []
    new = 0
    for thing, above in enumerate(parent):  # a parent comes before its children
        numbers.append(numbers[above] if above < thing else new)
        new += above == thing
    return numbers
