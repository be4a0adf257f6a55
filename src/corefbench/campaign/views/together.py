"""Work that many wait for, done for all of them in one go.

Who comes while some is under way is in the next: a single one waits for nobody, and of many that
come at once each costs only its share of a transaction and its sync.
"""

from asyncio import Future, create_task, get_running_loop, to_thread
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class Together(Generic[A, B]):
    """Asks a function, in a thread, for as many answers as are waited for."""

    def __init__(self, work: Callable[[Sequence[A]], Sequence[B]], most: int = 250) -> None:
        self._work = work
        self._most = most
        self._waiting: list[tuple[A, Future[B]]] = []
        self._busy = False

    async def ask(self, one: A) -> B:
        """The answer for this one, which is there once the work for all is done."""
        answer: Future[B] = get_running_loop().create_future()
        self._waiting.append((one, answer))
        if not self._busy:
            self._busy = True
            self._task = create_task(self._go_on())  # kept, or it might be forgotten half done
        return await answer

    async def _go_on(self) -> None:
        try:
            while self._waiting:
                now, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
                await self._do(now)
        finally:
            self._busy = False

    async def _do(self, now: list[tuple[A, Future[B]]]) -> None:
        try:
            made = await to_thread(self._work, [one for one, _ in now])
        except Exception as error:  # it is told to who asked
            if len(now) > 1:  # the fault of one must not be that of the others
                for one in now:
                    await self._do([one])
            elif not now[0][1].done():
                now[0][1].set_exception(error)
            return
        for (_, answer), said in zip(now, made, strict=True):
            if not answer.done():  # who has gone away waits no longer
                answer.set_result(said)
