"""Finds all marks of a bracketed text at once, where every bracket has its partner and label."""

import re

import numpy as np

from corefbench.formats.plain import require
from corefbench.model.windows import Bytes
from corefbench.record import Columns, Flags, Longs

_ESCAPE = re.compile(rb"\\[\[\]\\#r]")
_LETTER = np.array([bool(re.match(r"\w", chr(code), re.ASCII)) for code in range(256)])
_OPEN, _CLOSE, _BRACE, _UNBRACE, _BACKSLASH, _LINE = b"[]{}\\\n"
_LONGEST = 64
"""Longer labels without braces are nothing plain."""
_DEEPEST = 1000
"""How deep brackets are nested at most."""


class Unmarked(Columns, frozen=True, eq=False):
    """A text without its marks, and its mentions as they open: where they start and end, in
    characters, and their labels, still in UTF-8."""

    text: str
    start: Longs
    end: Longs
    labels: list[bytes]


def unmarked(marked: bytes) -> Unmarked:
    """Take the marks out of a text that ends in a line end or NUL; gives up where a bracket or a
    label is not plain.

    >>> found = unmarked("[[A]1 é]{x y} c\\n".encode())
    >>> found.text, found.start.tolist(), found.end.tolist(), found.labels
    ('A é c\\n', [0, 0], [3, 1], [b'x y', b'1'])
    """
    code = np.frombuffer(marked, np.uint8)
    escape = _escapes(marked)
    opened, closed = (_unescaped(code, mark, escape) for mark in (_OPEN, _CLOSE))
    braced, behind = _label_ends(marked, code, closed)
    begin = np.concatenate((opened, closed, escape))
    end = np.concatenate((opened + 1, behind, escape + 1))
    order = np.argsort(begin, kind="stable")
    begin, end = begin[order], end[order]
    require((end[:-1] <= begin[1:]).all())  # no mark is in the label of another
    length = end - begin
    bracket = order < len(opened) + len(closed)
    first, last = _partners((order < len(opened))[bracket])
    place, which = (begin - np.cumsum(length) + length)[bracket], order[bracket][last] - len(opened)
    rest = _without(code, begin, end, escape)
    labels = zip(
        (closed + 1 + braced)[which].tolist(), (behind - braced)[which].tolist(), strict=True
    )
    return Unmarked(
        text=str(rest.tobytes(), "utf-8"),
        start=_characters_before(rest, place[first]),
        end=_characters_before(rest, place[last]),
        labels=[marked[a:b] for a, b in labels],
    )


def _escapes(marked: bytes) -> Longs:
    """Where backslashes stand before what would be a mark."""
    found = _ESCAPE.finditer(marked) if b"\\" in marked else ()
    return np.array([match.start() for match in found], np.int64)


def _unescaped(code: Bytes, mark: int, escape: Longs) -> Longs:
    there = code == mark
    there[escape + 1] = False
    return np.flatnonzero(there)


def _label_ends(marked: bytes, code: Bytes, closed: Longs) -> tuple[Flags, Longs]:
    """Whether the label after each bracket is in braces, and where it ends."""
    end = closed + 1
    braced = code[end] == _BRACE
    bare = live = np.flatnonzero(~braced)
    require(_LETTER[code[end[bare]]].all())
    while len(live):
        end[live] += 1
        live = live[_LETTER[code[end[live]]]]
        require(not len(live) or (end - closed)[live[0]] < _LONGEST)
    beyond = end[bare][code[end[bare]] >= 0x80]
    following = (marked[at : at + 4].decode("utf-8", "ignore")[0] for at in beyond.tolist())
    require(not any(re.match(r"\w", character) for character in following))
    within = np.flatnonzero(braced)
    if len(within):
        end[within] = _past_braces(code, closed[within] + 2)
    return braced, end


def _past_braces(code: Bytes, begin: Longs) -> Longs:
    """The ends of labels in braces: they are not empty, on one line, and without backslashes."""
    ends = np.flatnonzero(code == _UNBRACE)
    following = np.searchsorted(ends, begin)
    require((following < len(ends)).all())
    end = ends[following]
    require((end > begin).all())
    barred = np.flatnonzero((code == _BACKSLASH) | (code == _LINE))
    require((np.searchsorted(barred, begin) == np.searchsorted(barred, end)).all())
    return end + 1


def _partners(opening: Flags) -> tuple[Longs, Longs]:
    """The brackets that open, and for each the one that closes it.

    >>> [some.tolist() for some in _partners(np.array([True, True, False, False]))]
    [[0, 1], [3, 2]]
    """
    depth = np.cumsum(np.where(opening, 1, -1))
    level = depth + ~opening  # partners are of one level, and follow each other there
    require(not len(depth) or (depth[-1] == 0 and level.min() > 0 and level.max() <= _DEEPEST))
    order = np.argsort(level.astype(np.int16), kind="stable")  # small numbers are sorted faster
    partner = np.empty(len(order), np.int64)
    partner[order[::2]] = order[1::2]
    first = np.flatnonzero(opening)
    return first, partner[first]


def _without(code: Bytes, begin: Longs, end: Longs, escape: Longs) -> Bytes:
    """The bytes without those between ``begin`` and ``end``; an escaped r is a return."""
    edges = np.zeros(2 * len(begin) + 2, np.int64)
    edges[1:-1:2], edges[2:-1:2], edges[-1] = begin, end, len(code)
    kept = np.repeat(np.arange(len(edges) - 1) % 2 == 0, np.diff(edges))
    returns = escape[code[escape + 1] == ord("r")] + 1
    if len(returns):
        code = code.copy()
        code[returns] = ord("\r")
    rest: Bytes = code[kept]
    return rest


def _characters_before(data: Bytes, place: Longs) -> Longs:
    """How many characters stand before places in UTF-8: all bytes but those that continue one."""
    continuing = np.flatnonzero(data & 0xC0 == 0x80)
    return place - np.searchsorted(continuing, place)
