"""Batch concurrent calls.

Two hundred uploads at the same moment would wait for two hundred transactions and as many syncs of
the disk, one after the other. Calls that arrive while one is under way share the next: a single
call waits for nobody, and of many each costs only its share.
"""

from asyncio import Future, create_task, get_running_loop, to_thread
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class Batcher(Generic[A, B]):
    """Calls a function in a thread with all items that are waiting."""

    def __init__(self, function: Callable[[Sequence[A]], Sequence[B]], max_size: int = 250) -> None:
        self._function = function
        self._max_size = max_size
        self._waiting: list[tuple[A, Future[B]]] = []
        self._is_running = False

    async def submit(self, item: A) -> B:
        """Return the result for an item once its batch is done."""
        result: Future[B] = get_running_loop().create_future()
        self._waiting.append((item, result))
        if not self._is_running:
            self._is_running = True
            self._task = create_task(self._run())  # kept, or it could be collected half done
        return await result

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch = self._waiting[: self._max_size]
                self._waiting = self._waiting[self._max_size :]
                await self._run_batch(batch)
        finally:
            self._is_running = False

    async def _run_batch(self, batch: list[tuple[A, Future[B]]]) -> None:
        try:
            results = await to_thread(self._function, [item for item, _ in batch])
        except Exception as error:  # passed on to the caller
            if len(batch) > 1:  # an item that fails must not fail the others
                for entry in batch:
                    await self._run_batch([entry])
            elif not batch[0][1].done():
                batch[0][1].set_exception(error)
            return
        for (_, future), result in zip(batch, results, strict=True):
            if not future.done():  # the caller may have gone away
                future.set_result(result)
