"""Answers on their way to the store: written in large pieces, by a thread."""

from asyncio import to_thread
from datetime import datetime

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.files import Incoming
from corefbench.errors import DataError
from corefbench.record import Record

_PIECE = 256 << 10
"""Bytes that are written at a time."""


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
        if self._size >= _PIECE:
            await self.flush()

    async def flush(self) -> None:
        """Write what has come so far."""
        if self._waiting:
            await to_thread(self.incoming.write, b"".join(self._waiting))
        self._waiting, self._size = [], 0

    async def end(self, platform: Platform, fields: dict[str, str], name: str) -> Arrived:
        """All of it is there: now is the time that counts."""
        time = platform.clock()
        await self.flush()
        if not self.incoming.bytes:
            raise DataError("the file is empty", code="CB310", expected="a file with answers")
        return Arrived(fields=fields, file_name=name, bytes=self.incoming.bytes, time=time)
