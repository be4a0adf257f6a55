import asyncio
from collections.abc import Sequence
from threading import Event

import pytest

from corefbench.campaign.views.state import Batcher
from corefbench.errors import UsageError


class Halving:
    """Halves even numbers; says how many it was asked for at a time."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []
        self.go = Event()

    def __call__(self, numbers: Sequence[int]) -> list[int]:
        self.asked.append(list(numbers))
        assert self.go.wait(10)
        if any(number % 2 for number in numbers):
            raise UsageError("odd", found=str(numbers))
        return [number // 2 for number in numbers]


async def halved(work: Halving, numbers: list[int], most: int = 250) -> list[int | BaseException]:
    """The first number is under way when the others come."""
    batcher = Batcher(work, most)
    first = asyncio.create_task(batcher.submit(numbers[0]))
    while not work.asked:
        await asyncio.sleep(0.001)
    others = [asyncio.create_task(batcher.submit(number)) for number in numbers[1:]]
    await asyncio.sleep(0)
    work.go.set()
    return await asyncio.gather(first, *others, return_exceptions=True)


def test_who_comes_while_some_is_under_way_is_in_the_next():
    work = Halving()
    assert asyncio.run(halved(work, [2, 4, 6, 8])) == [1, 2, 3, 4]
    assert work.asked == [[2], [4, 6, 8]]


def test_no_more_are_done_in_one_go_than_the_bound():
    work = Halving()
    assert asyncio.run(halved(work, [2, 4, 6, 8], most=2)) == [1, 2, 3, 4]
    assert work.asked == [[2], [4, 6], [8]]


def test_the_fault_of_one_is_not_that_of_the_others():
    work = Halving()
    first, second, third, fourth = asyncio.run(halved(work, [2, 4, 5, 8]))
    assert (first, second, fourth) == (1, 2, 4)
    assert isinstance(third, UsageError)
    assert third.found == "[5]"


def test_who_goes_away_keeps_nobody_from_an_answer():
    async def left(work: Halving) -> int:
        batcher = Batcher(work)
        gone = asyncio.create_task(batcher.submit(2))
        while not work.asked:
            await asyncio.sleep(0.001)
        stays = asyncio.create_task(batcher.submit(4))
        gone.cancel()
        work.go.set()
        with pytest.raises(asyncio.CancelledError):
            await gone
        return await stays

    assert asyncio.run(left(Halving())) == 2
