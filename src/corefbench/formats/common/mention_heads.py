"""First token of a mention whose governor lies outside of it."""

from functools import cached_property

import numpy as np

from corefbench.records import Flags, Longs

_STEPS_ONE_BY_ONE = 4
"""So many places are tried one by one: most spans are short, and most heads stand early."""


class FirstOutside:
    """Numbers in which spans are searched.

    Spans may nest as deep as they like: no number is looked at for every span around it. Each span
    passes over blocks of two, four, eight numbers, of which only the extremes are looked at.

    >>> numbers = np.array([3, 3, 2, 9, 3, 3, 3, 0])
    >>> outliers, start = FirstOutside(numbers), np.array([0, 0, 4])
    >>> low, high = np.array([2, 2, 0]), np.array([4, 4, 4])
    >>> outliers.first(start, np.array([8, 3, 8]), low, high).tolist()
    [3, -1, -1]
    """

    def __init__(self, numbers: Longs) -> None:
        self._numbers = numbers

    def first(self, start: Longs, end: Longs, low: Longs, high: Longs) -> Longs:
        """The first place in each span with a number below ``low`` or above ``high``; -1 where
        there is none."""
        search = _Search(start, end, low, high)
        some = np.arange(len(start))
        for _ in range(_STEPS_ONE_BY_ONE):
            some = some[search.passes(some, 0, self._numbers, self._numbers)]
        if len(some):
            search.go_on(some, self._levels)
        return np.where(search.place < end, search.place, -1)

    @cached_property
    def _levels(self) -> list[tuple[Longs, Longs]]:
        """The extremes of every one, two, four … numbers."""
        levels = [(self._numbers, self._numbers)]
        while (half := len(levels[-1][0]) // 2) > 0:
            least, most = levels[-1]
            pairs = least[: 2 * half].reshape(-1, 2), most[: 2 * half].reshape(-1, 2)
            levels.append((pairs[0].min(axis=1), pairs[1].max(axis=1)))
        return levels


class _Search:
    """How far each span has been searched."""

    def __init__(self, start: Longs, end: Longs, low: Longs, high: Longs) -> None:
        self.place: Longs = start.astype(np.int64)
        self._end = end
        self._low = low
        self._high = high

    def passes(self, some: Longs, level: int, least: Longs, most: Longs) -> Flags:
        """Pass over a block where it lies in its span and has no outlier; says which could."""
        place = self.place[some]
        passed: Flags = place + (1 << level) <= self._end[some]
        inside, block = some[passed], place[passed] >> level
        passed[passed] = (least[block] >= self._low[inside]) & (most[block] <= self._high[inside])
        self.place[some[passed]] += 1 << level
        return passed

    def go_on(self, some: Longs, levels: list[tuple[Longs, Longs]]) -> None:
        """Pass over larger and larger blocks up to one that cannot be passed, then over smaller
        ones within it."""
        stopped = np.zeros(len(self.place), np.int64)
        rising = some
        for level, extremes in enumerate(levels):
            # Blocks begin at multiples of their size.
            due = (self.place[rising] >> level) & 1 == 1
            due[due] = ~self.passes(rising[due], level, *extremes)
            stopped[rising[due]] = level
            rising = rising[~due]
        stopped[rising] = len(levels)
        for level in reversed(range(len(levels))):
            self.passes(some[stopped[some] > level], level, *levels[level])
