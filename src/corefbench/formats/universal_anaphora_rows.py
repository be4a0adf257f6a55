"""The rows of a block of CONLL-UA, where all their cells are plain.

Plain cells are divided by single TABs and have no white space at their edges, so that nothing is
to be stripped. Published files divide them by blanks: runs of these are made TABs.
"""

import numpy as np

from corefbench.formats.conllu_rows import Rows
from corefbench.formats.plain import require
from corefbench.model.windows import windows
from corefbench.record import Flags, Hashes, Longs

_TAB, _BLANK, _DEL = b"\t \x7f"
_HIGH_SPACES = [c for c in map(chr, range(0x80, 0x3001)) if c.isspace()]
_TWO, _THREE = (
    np.array([int.from_bytes(c.encode(), "little") for c in _HIGH_SPACES if len(c.encode()) == n])
    for n in (2, 3)
)


def plain_rows(content: bytes) -> Rows:
    """The rows: every line that is no comment is one."""
    require(b"\0" not in content)
    rows = Rows(content if b"\t" in content else _tabbed(content), 1, multiword=True)
    lines = rows.lines
    require(len(rows))
    # A line of blanks may or may not end a sentence.
    require(not (lines.blank & (lines.end > lines.start)).any())
    require(not _spaced(rows))
    return rows


def _tabbed(content: bytes) -> bytes:
    """The lines that are no comments with TABs for their white space."""
    lines = content.decode().split("\n")
    return "\n".join(
        line if line[:1] == "#" or line[:1].isspace() else "\t".join(line.split()) for line in lines
    ).encode()


def _spaced(rows: Rows) -> bool:
    """Whether any cell is empty, or has white space at an edge."""
    data = rows.data
    tab, space, high = data == _TAB, data <= _BLANK, data > _DEL
    beside = space[1:] & space[:-1] & (tab[1:] | tab[:-1])
    first, last = rows.lines.start[rows.line], rows.lines.end[rows.line]
    if beside.any() or space[first].any() or space[last - 1].any():
        return True
    after = np.append(np.flatnonzero(tab[:-1] & high[1:]) + 1, first)
    before = np.append(np.flatnonzero(tab[1:] & high[:-1]) + 1, last)
    window = windows(data)
    begins, ends = window[after], window[np.maximum(before - 3, 0)]
    return bool(
        (_in(begins, 0, _TWO) | _in(begins, 0, _THREE)).any()
        or (_in(ends, 1, _TWO) | _in(ends, 0, _THREE)).any()
    )


def _in(window: Hashes, skipped: int, characters: Longs) -> Flags:
    """Whether one of some characters stands in each window, after some bytes."""
    size = 2 if characters is _TWO else 3
    mask = np.uint64((1 << 8 * size) - 1)
    return np.isin((window >> np.uint64(8 * skipped)) & mask, characters)
