"""What likely pairs join: components, none of them larger than can be clustered whole."""

import numpy as np

from corefbench.record import Columns, Longs
from corefbench.resolvers.across.pairs import split
from corefbench.resolvers.across.scorer import Chances

_STEP = 0.8
"""A floor f is raised to 1 − 0.8 · (1 − f): finer where chances are high …"""
_TOP = 0.999
"""… until it is here. What holds together still is cut into pieces of like size."""


class Components(Columns, frozen=True, eq=False):
    """The components with more than one mention, the largest first."""

    members: tuple[Longs, ...]
    count: int
    """Of all components, those of one mention too."""
    largest: int
    """Mentions of the largest, before any was cut."""
    capped: int
    """How many were cut."""


def components(
    count: int, one: Longs, other: Longs, score: Chances, floor: float, largest: int
) -> Components:
    """What pairs with at least the ``floor`` join.

    Average linkage joins nothing at a threshold that no pair of two clusters reaches: with the
    threshold for a floor, components may be clustered apart. A component of more than ``largest``
    mentions is cut by a higher floor, at its weakest links.
    """
    likely = score >= floor
    one, other, score = one[likely], other[likely], score[likely]
    label = joined(count, one, other)
    sizes = np.bincount(label, minlength=1)
    made = Components(
        members=(),
        count=int((sizes > 0).sum()),
        largest=int(sizes.max(initial=0)),
        capped=int((sizes > largest).sum()),
    )
    while sizes.max(initial=0) > largest and floor < _TOP:
        floor = 1 - _STEP * (1 - floor)
        label = _raised(label, sizes > largest, one, other, score, floor)
        sizes = np.bincount(label)
    label = _chopped(label, sizes > largest, one, other, largest)
    parts = [part for part in split(label) if len(part) > 1]
    parts.sort(key=lambda part: (-len(part), int(part[0])))
    return Components(
        members=tuple(parts), count=made.count, largest=made.largest, capped=made.capped
    )


def joined(count: int, one: Longs, other: Longs) -> Longs:
    """The component of each mention."""
    from scipy.sparse.csgraph import connected_components

    return np.asarray(connected_components(_graph(count, one, other), directed=False)[1], np.int64)


def _graph(count: int, one: Longs, other: Longs):  # type: ignore[no-untyped-def]
    from scipy.sparse import coo_matrix

    return coo_matrix((np.ones(len(one), np.bool_), (one, other)), shape=(count, count)).tocsr()


def _raised(
    label: Longs, large: np.ndarray, one: Longs, other: Longs, score: Chances, floor: float
) -> Longs:
    """Large components fall apart; the others keep their members."""
    some = np.flatnonzero(large[label])
    rows = large[label[one]] & (score >= floor)
    rows &= label[one] == label[other]
    a, b = np.searchsorted(some, one[rows]), np.searchsorted(some, other[rows])
    made = label.copy()
    made[some] = len(large) + joined(len(some), a, b)
    return _numbered(made)


def _chopped(label: Longs, large: np.ndarray, one: Longs, other: Longs, largest: int) -> Longs:
    """Pieces of like size, of mentions that are near in the graph."""
    from scipy.sparse.csgraph import breadth_first_order

    made, new = label.copy(), len(large)
    for number in np.flatnonzero(large).tolist():
        some = np.flatnonzero(label == number)
        rows = (label[one] == number) & (label[other] == number)
        a, b = np.searchsorted(some, one[rows]), np.searchsorted(some, other[rows])
        order = breadth_first_order(_graph(len(some), a, b), 0, False, False)
        pieces = -(-len(some) // largest)
        made[some[order]] = new + np.arange(len(some)) * pieces // len(some)
        new += pieces
    return _numbered(made)


def _numbered(label: Longs) -> Longs:
    return np.unique(label, return_inverse=True)[1].reshape(-1).astype(np.int64)
