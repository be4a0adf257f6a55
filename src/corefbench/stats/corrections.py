"""p-values of a family of tests, adjusted for there being several.

Of m p-values in ascending order p₁ ≤ … ≤ pₘ:

    Holm 1979                   p̃ᵢ = maxⱼ≤ᵢ min(1, (m − j + 1) pⱼ)     family-wise error rate
    Benjamini & Hochberg 1995   p̃ᵢ = minⱼ≥ᵢ min(1, m pⱼ / j)           false discovery rate

A test is significant where its adjusted p is no more than α. None stands for a test that could not
be made: it stays None and does not count into m.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from corefbench.record import Floats

Correction: TypeAlias = Literal["holm", "bh", "none"]
CORRECTIONS: tuple[Correction, ...] = ("holm", "bh", "none")


def adjusted(p_values: Sequence[float | None], correction: Correction) -> list[float | None]:
    """The adjusted p-values, in the order given.

    >>> adjusted([0.5, 0.25, None, 0.125], "holm"), adjusted([0.5, 0.25, 0.125], "bh")
    ([0.5, 0.5, None, 0.375], [0.5, 0.375, 0.375])
    """
    known = [place for place, p in enumerate(p_values) if p is not None]
    given = np.array([p_values[place] for place in known], np.float64)
    order = np.argsort(given, kind="stable")
    made: list[float | None] = [None] * len(p_values)
    for place, value in zip(order.tolist(), _stepped(given[order], correction), strict=True):
        made[known[place]] = value
    return made


def _stepped(ascending: Floats, correction: Correction) -> list[float]:
    count = len(ascending)
    rank = np.arange(1, count + 1)
    if correction == "holm":
        ascending = np.maximum.accumulate((count - rank + 1) * ascending)
    elif correction == "bh":
        ascending = np.minimum.accumulate((count * ascending / rank)[::-1])[::-1]
    capped: list[float] = np.minimum(ascending, 1.0).tolist()
    return capped
