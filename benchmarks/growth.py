"""Processor time of work at two sizes, one twice the other."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

GOAL = 2.3
_ENOUGH = 0.05
"""Below so many seconds fixed costs and the clock decide, and nothing is said."""
_ATTEMPTS = 5
_RUNS, _LONG = 3, 2.0
"""So many runs are made, fewer where they take so many seconds."""


def _nothing() -> None:
    """What most work needs before it can be done once more."""


@dataclass(frozen=True)
class Work:
    """What is done at one size, what must come before it untimed, and the bytes it is about."""

    run: Callable[[], object]
    before: Callable[[], None] = _nothing
    volume: Callable[[], int] = int


@dataclass(frozen=True)
class Cost:
    """What one size cost."""

    mentions: int
    seconds: float
    volume: int = 0
    """Bytes written or read; 0 where there are no files."""


@dataclass(frozen=True)
class Row:
    """What a piece of work cost at a size and at twice that; nothing where it was refused."""

    kind: str
    name: str
    shape: str
    costs: tuple[Cost, Cost] | None = None
    refused: str = ""
    before: float = 0.0
    """The ratio of the doubling before it, where that one was over the goal."""

    @property
    def grown(self) -> float:
        """How much faster the bytes grew than the mentions; 1 where they grew alike."""
        if self.costs is None or not self.costs[0].volume:
            return 1.0
        half, whole = self.costs
        faster = whole.volume / half.volume / (whole.mentions / half.mentions)
        return faster if faster > GOAL / 2 else 1.0

    @property
    def ratio(self) -> float:
        """The cost of twice the input, by bytes where these grew faster; 0: too short to say."""
        if self.costs is None or self.costs[0].seconds < _ENOUGH:
            return 0.0
        return self.costs[1].seconds / self.costs[0].seconds / self.grown

    @property
    def over(self) -> bool:
        return self.ratio > GOAL


def measure_growth(row: Row, make: Callable[[int], Work], size: int, limit: int) -> Row:
    """The row with what half the size and the size cost; larger ones, up to a limit, where those
    are too short to say.

    A doubling that is too dear is followed by the next one, which then counts: a step, as where
    data no longer fit the processor's memory, is made once, while growth goes on.
    """
    from corefbench.errors import CorefbenchError

    try:
        half, whole = _Timed(make, size // 2), _Timed(make, size)
        while half.seconds < _ENOUGH and 2 * whole.size <= limit:
            half, whole = whole, _Timed(make, 2 * whole.size)
        result = _compared(row, half, whole)
        if not result.over:
            return result
        further = _compared(row, whole, _Timed(make, 2 * whole.size))
        return replace(further, before=result.ratio)
    except CorefbenchError as error:
        return replace(row, refused=error.code)


class _Timed:
    """Work of one size, and the least that it has cost."""

    def __init__(self, make: Callable[[int], Work], size: int) -> None:
        self.size = size
        self._work = make(size)
        self.seconds = least_time(self._work)

    def again(self) -> None:
        self.seconds = min(self.seconds, least_time(self._work))

    @property
    def cost(self) -> Cost:
        return Cost(self.size, self.seconds, self._work.volume())


def _compared(row: Row, half: _Timed, whole: _Timed) -> Row:
    """The row with two costs; what seems too dear is measured again."""
    result = replace(row, costs=(half.cost, whole.cost))
    for _ in range(_ATTEMPTS):
        if not result.over:
            break
        half.again()
        whole.again()
        result = replace(row, costs=(half.cost, whole.cost))
    return result


def least_time(work: Work) -> float:
    """The least processor time of some runs, long ones fewer; the collector of garbage, which
    works by leaps, waits meanwhile."""
    times: list[float] = []
    while len(times) < _RUNS and sum(times) < _LONG:
        work.before()
        gc.collect()
        gc.disable()
        try:
            began = time.process_time()
            work.run()
            times.append(time.process_time() - began)
        finally:
            gc.enable()
    return min(times)
