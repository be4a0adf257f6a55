"""The annotation of many WebAnno documents as columns: values with span numbers, and relations."""

import re
from typing import Self

import numpy as np

from corefbench.formats.conllu_rows import Rows
from corefbench.formats.plain import require
from corefbench.formats.webanno_lines import Layer, Relations
from corefbench.formats.webanno_names import naturals
from corefbench.model.windows import Bytes
from corefbench.record import Columns, Longs

_BAR, _OPEN, _CLOSE = b"|[]"
_ESCAPE = re.compile(rb"\\[^\t\n]")
_NUMBER = "(?:0|[1-9][0-9]{0,8})"
_SOURCE = f"{_NUMBER}-{_NUMBER}" rf"\[{_NUMBER}_{_NUMBER}\]"
_SOURCES = re.compile(rf"{_SOURCE}(?:\|{_SOURCE})*+")
_BARE = re.compile(r"-[0-9]++(?!\[)")
_BLANKS = str.maketrans("-[_]|", "     ")


class Values(Columns, frozen=True, eq=False):
    """The values in the cells of layers, in the order of the text."""

    row: Longs
    column: Longs
    number: Longs
    """The number of the span, 0 for that of the one token."""
    start: Longs
    end: Longs

    @classmethod
    def of(cls, rows: Rows, layers: list[Layer]) -> Self:
        """Read the cells of all features."""
        columns = [n for a in layers for n in range(a.column, a.column + max(len(a.features), 1))]
        cells = [rows.filled(column) for column in columns]
        row, cell_start, cell_end = (np.concatenate(some) for some in zip(*cells, strict=True))
        order = np.argsort(cell_start)
        row, column = row[order], np.repeat(columns, [len(some[0]) for some in cells])[order]
        text = _without_escapes(rows)
        start, end, cell = _divided(text, cell_start[order], cell_end[order])
        end, number = _numbers(text, start, end)
        return cls(row=row[cell], column=column[cell], number=number, start=start, end=end)


def _without_escapes(rows: Rows) -> Bytes:
    """The text of the block, where a backslash and what follows it do not divide anything."""
    if b"\\" not in rows.content:
        return rows.data
    text = _ESCAPE.sub(b"\1\1", rows.content)
    require(b"\\" not in text)
    return np.frombuffer(text, np.uint8)


def _divided(text: Bytes, start: Longs, end: Longs) -> tuple[Longs, Longs, Longs]:
    """Cells, in the order of the text, divided at bars: where pieces begin and end, and the cell
    of each."""
    bars = np.flatnonzero(text == _BAR)
    cell = np.searchsorted(start, bars, "right") - 1
    inside = (cell >= 0) & (bars < np.append(end, 0)[cell])
    bars, cell = bars[inside], cell[inside]
    begins = np.sort(np.concatenate((start, bars + 1)))
    ends = np.sort(np.concatenate((end, bars)))
    require((begins < ends).all())
    return begins, ends, np.searchsorted(start, begins, "right") - 1


def _numbers(text: Bytes, start: Longs, end: Longs) -> tuple[Longs, Longs]:
    """Where the values end, and the numbers in square brackets after them, 0 without one."""
    squares = np.flatnonzero(text == _OPEN)
    value = np.searchsorted(start, squares, "right") - 1
    inside = (value >= 0) & (squares < np.append(end, 0)[value])
    squares, value = squares[inside], value[inside]
    require((np.diff(value) > 0).all() and (text[end[value] - 1] == _CLOSE).all())
    number = np.zeros(len(start), np.int64)
    number[value] = naturals(text, squares + 1, end[value] - 1)
    require(number[value].all())
    ends = end.copy()
    ends[value] = squares
    return ends, number


class Links(Columns, frozen=True, eq=False):
    """The relations of a layer, in the order of the text."""

    row: Longs
    """The token at which the span begins that a relation leads to."""
    kind: list[str]
    place: Longs
    """Where it stands in the text."""
    sentence: Longs
    """The sentence and …"""
    token: Longs
    """… the token at which the span begins that it comes from."""
    one: Longs
    """The number of that span, 0 for that of the one token, …"""
    other: Longs
    """… and of the span that it leads to."""

    @classmethod
    def of(cls, rows: Rows, relations: Relations) -> Self | None:
        """Read the cells of a layer of relations; None where all are empty."""
        row, start, end = rows.filled(relations.source)
        if not len(row):
            return None
        place, _, cell = _divided(rows.data, start, end)
        text = "|".join(rows.texts(start, end))
        if text.count("[") < len(place):
            text = _BARE.sub(r"\g<0>[0_0]", text)
        require(_SOURCES.fullmatch(text))
        numbers = np.fromstring(text.translate(_BLANKS), np.int64, sep=" ").reshape(-1, 4)
        sentence, token, one, other = numbers.T
        kind = [""] * len(place)
        if relations.type >= 0:
            a, b = (edge[row] for edge in rows.cells(relations.type))
            types, ends, of = _divided(rows.data, a, b)
            require(np.array_equal(of, cell))  # as many types as sources
            kind = rows.texts(types, ends)
        return cls(
            row=row[cell],
            kind=kind,
            place=place,
            sentence=sentence,
            token=token,
            one=one,
            other=other,
        )
