"""Lines and columns of a block of bytes as arrays."""

import numpy as np

from corefbench.corpus.byte_search import PADDING, Bytes, byte_windows, find_blank, find_tab, skip_blanks
from corefbench.records import Columns, Flags, Hashes, Longs

_NEWLINE, _RETURN, _TAB, _BLANK, _HASH = b"\n\r\t #"
_IS_TAB = np.zeros(256, np.bool_)
_IS_TAB[_TAB] = True
_IS_SPACE = np.zeros(256, np.bool_)
_IS_SPACE[list(b"\t\n\v\f\r ")] = True
_IS_CONTROL = np.zeros(256, np.bool_)
_IS_CONTROL[:_BLANK] = ~_IS_SPACE[:_BLANK]


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
    def of(cls, text: bytes) -> "Lines":
        """Find the lines of a text.

        >>> Lines.of(b"#x\\n\\na b").blank.tolist()
        [False, True, False]
        """
        end = b"" if text.endswith(b"\n") else b"\n"
        return cls.in_buffer(np.frombuffer(text + end + bytes(PADDING), np.uint8))

    @classmethod
    def in_buffer(cls, data: Bytes) -> "Lines":
        """Find the lines of a buffer that ends in a newline and bytes to spare."""
        end = np.flatnonzero(data[:-PADDING] == _NEWLINE)
        start = np.empty_like(end)
        start[0], start[1:] = 0, end[:-1] + 1
        returns = (end > start) & (data[end - 1] == _RETURN)
        if returns.any():
            end = end - returns
        first = data[start]
        blank = end == start
        spaced = np.flatnonzero((first == _BLANK) | (first == _TAB))
        if len(spaced):
            blank[spaced] = skip_blanks(byte_windows(data), start[spaced], end[spaced]) == end[spaced]
        return cls(data=data, start=start, end=end, blank=blank, comment=first == _HASH)

    def text(self, line: int) -> str:
        """One line, decoded."""
        return self.data[self.start[line] : self.end[line]].tobytes().decode("utf-8", "replace")


class FieldCursor:
    """Walks through the columns of many lines at once, from the left.

    Columns are divided by single tabs where the lines have tabs, else by runs of blanks.
    """

    def __init__(self, lines: Lines, which: Longs, start: Longs | None = None) -> None:
        """Walk from the start of the lines, or from where some columns have been passed."""
        self._data = lines.data
        self._windows = byte_windows(lines.data)
        self._stop = lines.end[which]
        begin = lines.start[which]
        first = lines.data[begin[0] : self._stop[0]] if len(which) else lines.data[:0]
        self._tabs = bool((first == _TAB).any())
        # The fast search takes all control characters for separators; hardly any file has others.
        self._has_controls = bool(_IS_CONTROL[lines.data[:-PADDING]].any())
        self._passed = begin if start is None else start

    @property
    def position(self) -> Longs:
        """Where the next column of every line starts."""
        if self._tabs:
            return self._passed
        return skip_blanks(self._windows, self._passed, self._stop)

    def _find_exactly(self, windows: Hashes, start: Longs, stop: Longs) -> Longs:
        """Return the next position of a separator, byte by byte."""
        separates = _IS_TAB if self._tabs else _IS_SPACE
        end = start.copy()
        live = np.flatnonzero(end < stop)
        while len(live):
            live = live[~separates[self._data[end[live]]]]
            end[live] += 1
            live = live[end[live] < stop[live]]
        return end

    def take(self) -> tuple[Longs, Longs]:
        """Start and end of the next column of every line; empty where a line has no more."""
        start = self.position
        find = (find_tab if self._tabs else find_blank) if not self._has_controls else self._find_exactly
        end = find(self._windows, start, self._stop)
        self._passed = np.minimum(end + 1, self._stop)
        return start, end
