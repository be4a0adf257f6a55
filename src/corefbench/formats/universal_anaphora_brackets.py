"""The markables of a block of CONLL-UA as columns: their rows, and the fields of their brackets."""

from typing import Self

import numpy as np

from corefbench.formats.appearance import by_appearance
from corefbench.formats.conllu_rows import Rows
from corefbench.formats.plain import require
from corefbench.model.digest import sum_of_words
from corefbench.record import Columns, Longs

_OPEN, _CLOSE, _BAR, _EQUALS = b"()|="


class Brackets(Columns, frozen=True, eq=False):
    """The markables of balanced brackets, in the order in which they open."""

    start: Longs
    """The first row of each …"""
    end: Longs
    """… and past the last."""
    fields: "Fields"

    @classmethod
    def of(cls, rows: Rows, column: int, document: Longs) -> Self:
        """Read a column; ``document`` is that of each row, and no markable may leave it."""
        data = rows.data
        row, start, end = rows.filled(column)
        place, cell = _inside(rows, start, end)
        kind, stop = data[place], end[cell]
        # Nothing may stand before the first bracket of a cell, or after one that closes.
        after = place[kind == _CLOSE] + 1
        edge = np.concatenate((start, after[after < stop[kind == _CLOSE]]))
        require(((data[edge] == _OPEN) | (data[edge] == _CLOSE)).all())
        bracket = (kind == _OPEN) | (kind == _CLOSE)
        opening, closing = _paired(kind[bracket] == _OPEN, document[row[cell[bracket]]])
        where = row[cell[bracket]]
        divides = kind != _EQUALS
        return cls(
            start=where[opening],
            end=where[closing] + 1,
            fields=Fields.of(rows, place[divides], stop[divides], place[kind == _EQUALS]),
        )


def _inside(rows: Rows, start: Longs, end: Longs) -> tuple[Longs, Longs]:
    """The places of all brackets, bars and equals signs within cells, and the cell of each."""
    data = rows.data
    marks = (data == _OPEN) | (data == _CLOSE) | (data == _BAR) | (data == _EQUALS)
    place = np.flatnonzero(marks)
    cell = np.searchsorted(start, place, "right") - 1
    inside = (cell >= 0) & (place < np.append(end, 0)[cell])
    return place[inside], cell[inside]


def _paired(opens: np.ndarray, document: Longs) -> tuple[Longs, Longs]:
    """The brackets that open, in order, and those that close what they open.

    Brackets of one depth alternate, so that sorted by depth each is followed by its partner.
    """
    depth = np.cumsum(np.where(opens, 1, -1))
    last = np.append(np.diff(document) != 0, True)[: len(depth)]
    require((depth >= 0).all() and not depth[last].any())
    order = np.argsort((depth + ~opens).astype(np.int32), kind="stable")
    partner = np.empty(len(order), np.int64)
    partner[order[0::2]] = order[1::2]
    opening = np.flatnonzero(opens)
    return opening, partner[opening]


class Fields(Columns, frozen=True, eq=False):
    """The ``key=value`` of all markables, in the order of the text."""

    markable: Longs
    key: Longs
    """Its number among ``names``."""
    start: Longs
    end: Longs
    names: list[str]
    """The keys, by first appearance."""

    @classmethod
    def of(cls, rows: Rows, place: Longs, stop: Longs, equals: Longs) -> Self:
        """Fields begin at an opening bracket or a bar, and go to the next bracket or bar at
        ``place``, or to the end of their cell, ``stop``."""
        data = rows.data
        begins = data[place] != _CLOSE
        end = np.minimum(np.append(place[1:], len(data)), stop)[begins]
        markable = (np.cumsum(data[place] == _OPEN) - 1)[begins]
        start = place[begins] + 1
        middle = np.append(equals, len(data))[np.searchsorted(equals, start)]
        named = middle < end
        start, middle, end = start[named], middle[named], end[named]
        hashes = sum_of_words(data, start, middle, np.zeros(len(start), np.int64))
        first, key = by_appearance(hashes)
        return cls(
            markable=markable[named],
            key=key,
            start=middle + 1,
            end=end,
            names=rows.texts(start[first], middle[first]),
        )

    def values(self, name: str, markables: int) -> tuple[Longs, Longs]:
        """Where the value of a key begins and ends for each markable; nothing where it has none."""
        start, end = np.zeros((2, markables), np.int64)
        if name in self.names:
            mine = self.key == self.names.index(name)
            # Of two, the last counts.
            start[self.markable[mine]], end[self.markable[mine]] = self.start[mine], self.end[mine]
        return start, end
