"""Lines of a block of bytes as arrays, and the columns of many lines at once."""

from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from corefbench.record import Columns, Flags, Longs

Bytes = NDArray[np.uint8]

_NEWLINE, _RETURN, _TAB, _BLANK, _HASH = b"\n\r\t #"


def _table(characters: bytes) -> Flags:
    table = np.zeros(256, np.bool_)
    table[np.frombuffer(characters, np.uint8)] = True
    return table


_SPACE = _table(b" \t\r\x0b\x0c")
_NOT_SPACE = ~_table(b" \t\r\x0b\x0c\n")
_NOT_TAB = ~_table(b"\t\n")


class Lines(Columns, frozen=True, eq=False):
    """The lines of a block: where each starts, where it ends, and what kind it is."""

    data: Bytes
    """The bytes, ending in a newline, with eight bytes to spare after it."""
    start: Longs
    end: Longs
    """Past the last character: neither newline nor carriage return."""
    blank: Flags
    comment: Flags

    @classmethod
    def of(cls, block: bytes) -> "Lines":
        """Find the lines of a block.

        >>> Lines.of(b"#x\\n\\na b\\n").blank.tolist()
        [False, True, False]
        """
        text = block if block.endswith(b"\n") else block + b"\n"
        data = np.frombuffer(text + bytes(8), np.uint8)
        end = np.flatnonzero(data[: len(text)] == _NEWLINE)
        start = np.empty_like(end)
        start[0], start[1:] = 0, end[:-1] + 1
        if b"\r" in block:
            end = end - ((end > start) & (data[end - 1] == _RETURN))
        first = data[start]
        blank = end == start
        spaced = np.flatnonzero((first == _BLANK) | (first == _TAB))
        blank[spaced] = skip(data, start[spaced], _SPACE) >= end[spaced]
        return cls(data=data, start=start, end=end, blank=blank, comment=first == _HASH)

    def text(self, line: int) -> str:
        """One line, decoded."""
        return self.data[self.start[line] : self.end[line]].tobytes().decode("utf-8", "replace")


def skip(data: Bytes, position: Longs, over: Flags) -> Longs:
    """Move each position past the bytes marked in ``over``; a newline must not be marked."""
    position = position.copy()
    live = np.flatnonzero(over[data[position]])
    while len(live):
        position[live] += 1
        live = live[over[data[position[live]]]]
    return position


class Fields:
    """Walks through the columns of many lines at once, from the left.

    Columns are divided by single tabs where the lines have tabs, else by runs of blanks.
    """

    def __init__(self, data: Bytes, start: Longs, *, tabs: bool) -> None:
        self._data = data
        self._tabs = tabs
        self._next = start if tabs else skip(data, start, _SPACE)

    @classmethod
    def of(cls, lines: Lines, which: Longs) -> "Fields":
        """The columns of some lines, divided as the first of them is."""
        start = lines.start[which]
        first = lines.data[lines.start[which[0]] : lines.end[which[0]]] if len(which) else start
        return cls(lines.data, start, tabs=bool((first == _TAB).any()))

    def take(self) -> tuple[Longs, Longs]:
        """Start and end of the next column of every line."""
        start = self._next
        end = skip(self._data, start, _NOT_TAB if self._tabs else _NOT_SPACE)
        self._next = end + (self._data[end] == _TAB) if self._tabs else skip(self._data, end, _SPACE)
        return start, end


def blocks(stream: BinaryIO, size: int, boundary: "Boundary") -> Iterator[bytes]:
    """The stream in blocks of whole documents, each of about ``size`` bytes.

    A document larger than a block is read whole.
    """
    held: list[bytes] = []
    while chunk := stream.read(size):
        cut = boundary.last(held[-1][-boundary.reach :] + chunk if held else chunk)
        if cut is None:
            held.append(chunk)
            continue
        if held:
            cut -= min(boundary.reach, len(held[-1]))
        joined = b"".join([*held, chunk])
        cut += len(joined) - len(chunk)
        yield joined[:cut]
        held = [joined[cut:]] if cut < len(joined) else []
    if held:
        yield b"".join(held)


class Boundary:
    """Where one document ends and the next begins: before a line with one of these openings."""

    def __init__(self, *openings: bytes) -> None:
        self._openings = tuple(b"\n" + opening for opening in openings)
        self.reach = max(map(len, self._openings))

    def last(self, chunk: bytes) -> int | None:
        """The offset after the newline of the last boundary in the chunk, if there is one."""
        found = max(chunk.rfind(opening) for opening in self._openings)
        return found + 1 if found >= 0 else None
