"""A file in blocks of whole documents, so that memory does not grow with the file."""

from collections.abc import Iterator
from re import Pattern
from typing import BinaryIO

import numpy as np

from corefbench.model.windows import SPARE, Bytes

_NEWLINE = ord("\n")
_LONGEST_MARK = 64
"""A mark that begins a document may straddle two reads by this much."""


class Blocks:
    """A stream in blocks of whole documents.

    One buffer serves all blocks, so a block must be done with before the next is asked for. A
    document larger than a block is read whole.
    """

    def __init__(self, stream: BinaryIO, size: int, begins: Pattern[bytes]) -> None:
        self._stream = stream
        self._begins = begins
        self._buffer = bytearray(size + SPARE + 1)
        self._filled = 0
        self._searched = 0

    def __iter__(self) -> Iterator[Bytes]:
        """Each block with a newline and bytes to spare at its end."""
        while self._fill():
            cut = self._last_beginning()
            if cut:
                yield from self._emit(cut)
        if self._filled:
            yield from self._emit(self._filled)

    def _fill(self) -> bool:
        room = len(self._buffer) - SPARE - 1
        if self._filled == room:
            # A new buffer: whoever holds the last block must not see it move.
            self._buffer = self._buffer + bytes(room)
            room *= 2
        with memoryview(self._buffer) as view:
            got = readinto(self._stream, view[self._filled : room])
        self._filled += got
        return got > 0

    def _last_beginning(self) -> int:
        """The start of the last line, after the first, at which a document begins; 0 if none."""
        end = self._filled
        while (found := self._buffer.rfind(b"\n#", self._searched, end)) >= 0:
            if self._begins.match(self._buffer, found + 1):
                return found + 1
            end = found
        self._searched = max(self._filled - _LONGEST_MARK, 0)
        return 0

    def _emit(self, cut: int) -> Iterator[Bytes]:
        """Hand out the buffer up to ``cut``; keep what is behind it."""
        behind = bytes(self._buffer[cut : self._filled])
        last = cut if self._buffer[cut - 1] == _NEWLINE else cut + 1
        self._buffer[last - 1] = _NEWLINE
        self._buffer[last : last + SPARE] = bytes(SPARE)
        yield np.frombuffer(self._buffer, np.uint8, last + SPARE)
        self._buffer[: len(behind)] = behind
        self._filled, self._searched = len(behind), 0


def readinto(stream: BinaryIO, view: memoryview) -> int:
    """Fill the view from the stream, as far as the stream goes."""
    got = stream.readinto(view)  # type: ignore[attr-defined]
    return got or 0
