"""How far apart two chains are, as sets of mentions: the distances that α is used with.

    binary      0 where A = B, else 1
    passonneau  0 where A = B, ⅓ where one is part of the other, ⅔ where they overlap, else 1
    jaccard     1 − |A∩B| ÷ |A∪B|
    dice        1 − 2|A∩B| ÷ (|A| + |B|)
    masi        1 − |A∩B| ÷ |A∪B| · m,  m = 1, ⅔, ⅓, 0 in the cases of passonneau

Sets that share nothing are at distance 1 by all of them, which keeps the sums over pairs sparse.
Passonneau 2004 for the second, Passonneau 2006 for MASI; the weights are thirds, not 0.33 and 0.67.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from corefbench.record import Floats, Longs

Likeness: TypeAlias = Callable[[Longs, Longs, Longs], Floats]
"""1 − distance, of |A|, |B| and |A∩B|."""


def _share(a: Longs, b: Longs, both: Longs) -> Floats:
    return np.asarray(both / np.maximum(a + b - both, 1), np.float64)


def _binary(a: Longs, b: Longs, both: Longs) -> Floats:
    return np.asarray((both == a) & (both == b) & (both > 0), np.float64)


def _monotony(a: Longs, b: Longs, both: Longs) -> Floats:
    """1, ⅔, ⅓ or 0 for sets that are equal, nested, overlapping or disjoint."""
    thirds = 1 * (both > 0) + ((both == a) | (both == b)) * (both > 0) + _binary(a, b, both)
    return np.asarray(thirds / 3, np.float64)


def _dice(a: Longs, b: Longs, both: Longs) -> Floats:
    return np.asarray(2 * both / np.maximum(a + b, 1), np.float64)


def _masi(a: Longs, b: Longs, both: Longs) -> Floats:
    return _share(a, b, both) * _monotony(a, b, both)


LIKENESS: Mapping[str, Likeness] = {
    "passonneau": _monotony,
    "masi": _masi,
    "jaccard": _share,
    "dice": _dice,
    "binary": _binary,
}


def distance(name: str, a: frozenset[int], b: frozenset[int]) -> float:
    """The distance of two sets.

    >>> distance("masi", frozenset({1, 2}), frozenset({1, 2, 3, 4}))
    0.6666666666666667
    >>> distance("passonneau", frozenset({1, 2}), frozenset({2, 3}))
    0.6666666666666667
    """
    sizes = (np.array([n]) for n in (len(a), len(b), len(a & b)))
    return 1 - float(LIKENESS[name](*sizes)[0])
