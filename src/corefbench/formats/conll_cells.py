"""The coreference cells of a block: which token lines say something in their last column."""

import numpy as np

from corefbench.formats.lines import Lines
from corefbench.model.windows import Bytes
from corefbench.record import Columns, Longs

_TAB, _BLANK = b"\t "
_NONE = np.zeros(256, np.bool_)
_NONE[list(b"-_*")] = True
_IS_SPACE = np.zeros(256, np.bool_)
_IS_SPACE[list(b" \t\r\x0b\x0c\n")] = True


class Cells(Columns, frozen=True, eq=False):
    """The cells that say something: the token each belongs to and where its bytes are."""

    token: Longs
    start: Longs
    end: Longs


def find_cells(lines: Lines, token_line: Longs) -> Cells:
    """Look at the byte before the newline first; only other lines need work."""
    data = lines.data
    end = lines.end[token_line]
    last = data[end - 1]
    trailing = np.flatnonzero((last == _TAB) | (last == _BLANK))
    if len(trailing):
        end = _strip(lines, token_line, end, trailing)
        last = data[end - 1]
    says = ~(_NONE[last] & _IS_SPACE[data[end - 2]])
    says &= end > lines.start[token_line]
    token = np.flatnonzero(says)
    stop = end[token]
    return Cells(
        token=token, start=_last_field(data, lines.start[token_line[token]], stop), end=stop
    )


def _last_field(data: Bytes, line_start: Longs, end: Longs) -> Longs:
    """Where the last field of each line starts."""
    start = end - 1
    live = np.arange(len(end))
    while len(live):
        live = live[(start[live] > line_start[live]) & ~_IS_SPACE[data[start[live] - 1]]]
        start[live] -= 1
    return start


def _strip(lines: Lines, token_line: Longs, end: Longs, trailing: Longs) -> Longs:
    """Leave out white space at the end of lines; a last column that is empty stays empty.

    An empty last column ends in a tab, as does a line with a tab too many. They are told apart by
    the number of columns of the first token line.
    """
    end = end.copy()
    data, start = lines.data, lines.start[token_line]
    was = end[trailing]
    live = trailing
    while len(live):
        end[live] -= 1
        live = live[(end[live] > start[live]) & _IS_SPACE[data[end[live] - 1]]]
    field = data[end[trailing] - 1]
    doubtful = trailing[~(_NONE[field] & _IS_SPACE[data[end[trailing] - 2]])]
    if len(doubtful):
        columns = _tabs(data, int(start[0]), int(lines.end[token_line[0]]))
        for token in doubtful.tolist():
            stop = int(was[np.searchsorted(trailing, token)])
            if data[stop - 1] == _TAB and _tabs(data, int(start[token]), stop) == columns:
                end[token] = start[token]
    return end


def _tabs(data: Bytes, start: int, end: int) -> int:
    return int(np.count_nonzero(data[start:end] == _TAB))
