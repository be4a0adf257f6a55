"""The items of coreference in MISC: Entity, Bridge and SplitAnte among others, divided by bars."""

from typing import Self

import numpy as np

from corefbench.formats.conllu import COLUMNS
from corefbench.formats.conllu_rows import Rows
from corefbench.model.assemble import ranges
from corefbench.model.strings import Strings
from corefbench.record import Columns, Flags, Longs

ITEMS = ("Entity=", "Bridge=", "SplitAnte=")

_BAR = ord("|")
_MISC = COLUMNS.index("misc")


class Items(Columns, frozen=True, eq=False):
    """Where the items of a block stand, in the order of the text."""

    row: Longs
    kind: Longs
    """The place of its key in ITEMS."""
    start: Longs
    end: Longs
    marked: Longs
    """The rows whose MISC has the name of an item, if only within another."""

    @classmethod
    def of(cls, rows: Rows) -> Self:
        places = [_places(rows.content, key.encode()) for key in ITEMS]
        start = np.concatenate(places)
        kind = np.repeat(np.arange(len(ITEMS)), [len(some) for some in places])
        order = np.argsort(start)
        start, kind = start[order], kind[order]
        first, last = rows.cells(_MISC)
        row = rows.at(start)
        inside = (row >= 0) & (start >= first[row]) & (start < last[row]) if len(rows) else row > 0
        start, kind, row = start[inside], kind[inside], row[inside]
        bars = np.append(np.flatnonzero(rows.data == _BAR), len(rows.data))
        end = np.minimum(bars[np.searchsorted(bars, start)], last[row])
        whole = (start == first[row]) | (rows.data[start - 1] == _BAR)
        return cls(
            row=row[whole],
            kind=kind[whole],
            start=start[whole],
            end=end[whole],
            marked=np.unique(row),
        )

    def take(self, which: Flags) -> Self:
        """Some of the items."""
        columns = (self.row, self.kind, self.start, self.end)
        row, kind, start, end = (column[which] for column in columns)
        return type(self)(row=row, kind=kind, start=start, end=end, marked=self.marked)

    def value(self, rows: Rows, item: int) -> str:
        """What an item says."""
        start = int(self.start[item]) + len(ITEMS[self.kind[item]])
        return rows.content[start : self.end[item]].decode()


def _places(content: bytes, key: bytes) -> Longs:
    """Where a key stands: between the pieces that it divides the content into."""
    pieces = content.split(key)
    lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
    return np.cumsum(lengths + len(key))[:-1] - len(key)


def other_items(rows: Rows, items: Items) -> Strings:
    """MISC without the items of coreference."""
    first, last = rows.cells(_MISC)
    row = np.unique(items.row)
    # Each item is taken together with the bar, or the TAB, before it.
    length = last[row] + 1 - first[row]
    where = ranges(first[row] - 1, length)
    kept = np.ones(len(where), np.bool_)
    begin = (np.cumsum(length) - length)[np.searchsorted(row, items.row)]
    kept[ranges(begin + items.start - first[items.row], items.end + 1 - items.start)] = False
    left = np.diff(np.append(0, np.cumsum(kept))[np.append(0, np.cumsum(length))])
    end = len(rows.data) + np.cumsum(left)
    first[row], last[row] = end - left + 1, end
    first[row[left < 2]], last[row[left < 2]] = rows.nothing
    return Strings.between(np.concatenate([rows.data, rows.data[where[kept]]]), first, last)
