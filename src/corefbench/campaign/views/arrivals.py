"""Answers on their way to the store: large ones are written as they come, by a thread."""

from asyncio import to_thread
from datetime import datetime

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.files import HELD, Incoming
from corefbench.errors import DataError
from corefbench.record import Record


class Arrived(Record, frozen=True):
    """What came, and when the last of it did."""

    fields: dict[str, str]
    file_name: str
    bytes: int
    time: datetime


class Writer:
    """Collects small pieces, so that a thread is asked for few large ones."""

    def __init__(self, incoming: Incoming) -> None:
        self.incoming = incoming
        self._waiting: list[bytes] = []
        self._size = 0

    async def take(self, piece: bytes) -> None:
        """The next piece."""
        self._waiting.append(piece)
        self._size += len(piece)
        if self._size >= HELD:
            await to_thread(self._pass_on)

    def _pass_on(self) -> None:
        self.incoming.write(b"".join(self._waiting))
        self._waiting, self._size = [], 0

    async def end(self, platform: Platform, fields: dict[str, str], name: str) -> Arrived:
        """All of it is there: now is the time that counts."""
        time = platform.clock()
        if self.incoming.bytes:
            await to_thread(self._pass_on)
        else:
            self._pass_on()  # not yet so much that anything is written
        if not self.incoming.bytes:
            raise DataError("the file is empty", code="CB310", expected="a file with answers")
        return Arrived(fields=fields, file_name=name, bytes=self.incoming.bytes, time=time)
