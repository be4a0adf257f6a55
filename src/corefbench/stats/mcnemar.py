"""McNemar's exact test: do two systems differ on the decisions that only one of them got right?

p = min(1, 2 · P(X ≤ min(b, c))),  X ~ Binomial(b + c, ½)

with *b* decisions that only the first got right and *c* that only the second did (McNemar 1947, in
its exact form). Without such decisions p is 1.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import comb

from corefbench.record import Record


class McNemar(Record, frozen=True):
    """The discordant counts and the p-value."""

    only_first: int
    only_second: int
    p: float


def mcnemar(pairs: Iterable[tuple[bool, bool]]) -> McNemar:
    """The test on pairs of outcomes of the same decisions.

    >>> mcnemar([(True, False)] * 5 + [(True, True)] * 9)
    McNemar(only_first=5, only_second=0, p=0.0625)
    """
    differing = [first for first, second in pairs if first != second]
    first = sum(differing)
    return _exact(first, len(differing) - first)


def _exact(first: int, second: int) -> McNemar:
    trials, least = first + second, min(first, second)
    tail = sum(comb(trials, hits) for hits in range(least + 1))
    # Exact integers: a thousand discordant pairs would underflow as floats.
    p = min(1.0, float(Fraction(2 * tail, 2**trials)))
    return McNemar(only_first=first, only_second=second, p=p)
