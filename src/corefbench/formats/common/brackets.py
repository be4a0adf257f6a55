"""Bracket notation of chains, parsed for a whole block at once.

Every identifier in a cell is a *run* of bytes between brackets and bars. A run after ``(`` opens a
mention, a run before ``)`` closes one, a run between the two is a mention of one token; a bare run
stands inside a mention that is open. Openings and closings of one chain are paired as on a stack.
"""

import numpy as np

from corefbench.corpus.arrays import ranges
from corefbench.corpus.byte_search import Bytes
from corefbench.records import Columns, Flags, Ints, Longs

_OPEN, _CLOSE, _BAR, _BLANK, _ZERO, _NINE, _PLUS = b"()| 09+"


class Runs(Columns, frozen=True, eq=False):
    """The identifiers of many cells, in the order of the text."""

    cell: Longs
    """The number of the cell the run stands in."""
    opens: Flags
    closes: Flags
    label: np.ndarray
    """int64 where every identifier is a plain number, else bytes."""
    malformed: Longs
    """Cells with a bracket that has no identifier."""


def find_runs(data: Bytes, start: Longs, end: Longs) -> Runs:
    """Read the cells ``data[start:end]``."""
    length = end - start
    text = data[ranges(start, length)]
    cell = np.repeat(np.arange(len(start)), length)
    opening, closing = text == _OPEN, text == _CLOSE
    # In columns that tabs separate, a cell may have blanks between its brackets: ``(1| (2``.
    inside = ~(opening | closing | (text == _BAR) | (text == _BLANK))
    same = np.zeros(len(text) + 1, np.bool_)
    same[1:-1] = cell[1:] == cell[:-1]  # whether a byte and the one before it are of one cell
    first = np.flatnonzero(inside & ~(same[:-1] & np.append(False, inside[:-1])))
    last = np.flatnonzero(inside & ~(same[1:] & np.append(inside[1:], False)))
    opens = same[first] & opening[first - 1]
    closes = same[last + 1] & closing[np.minimum(last + 1, len(text) - 1)]
    return Runs(
        cell=cell[first],
        opens=opens,
        closes=closes,
        label=_parse_labels(text, first, last + 1),
        malformed=_malformed(cell, opening, closing, first[opens] - 1, last[closes] + 1),
    )


def _malformed(cell: Longs, opening: Flags, closing: Flags, opened: Longs, closed: Longs) -> Longs:
    stray = opening | closing
    stray[opened] = False
    stray[closed] = False
    return np.array(sorted(set(cell[stray].tolist())), np.int64)


def _parse_labels(text: Bytes, start: Longs, end: Longs) -> np.ndarray:
    """The identifiers as numbers, or as bytes where any of them is not a plain number."""
    if not len(start):
        return np.zeros(0, np.int64)
    length = end - start
    run = np.repeat(np.arange(len(start)), length)
    where = ranges(start, length)
    byte = text[where]
    plain = ((byte >= _ZERO) & (byte <= _NINE)).all()
    if plain and length.max() <= 18 and not ((text[start] == _ZERO) & (length > 1)).any():
        power = 10 ** (end[run] - 1 - where)
        edges = np.cumsum(length) - length
        return np.add.reduceat((byte - _ZERO).astype(np.int64) * power, edges)
    width = int(length.max())
    padded = np.zeros((len(start), width), np.uint8)
    padded[run, where - start[run]] = byte
    return padded.view(f"S{width}").reshape(-1)


class Pairing(Columns, frozen=True, eq=False):
    """Openings with their closings, and what could not be paired."""

    opening: Longs
    """The run that opens each mention …"""
    closing: Longs
    """… and, in step with it, the run that closes it: the same for mentions of one token."""
    unopened: Longs
    unclosed: Longs


def pair_brackets(runs: Runs, token: Longs, group: Longs) -> Pairing:
    """Pair openings and closings; ``group`` numbers the chain of each run in its document.

    A closing takes the innermost mention of its chain that is open. On one token openings come
    before closings, in whatever order the cell has them, as in the reference scorer and in coval:
    ``1)|(1`` and ``(1|1)`` are a mention of this token, whether or not it is inside another.
    """
    single = np.flatnonzero(runs.opens & runs.closes)
    edge = np.flatnonzero(runs.opens != runs.closes)
    order = edge[np.lexsort((runs.closes[edge], token[edge], group[edge]))]
    depth = _depths(runs.opens[order], group[order])
    bad = _unbalanced(depth, group[order])
    unopened = unclosed = np.zeros(0, np.int64)
    extra_open, extra_close = unopened, unclosed
    if bad is not None:
        extra_open, extra_close, unopened, unclosed = _pair_one_by_one(runs.opens, group, order[bad])
        order, depth = order[~bad], depth[~bad]
    # Opening and closing of one mention have the same level; sorted by it, they are neighbours.
    level = depth - np.where(runs.opens[order], 1, 0)
    if level.size and level.max() > 0:
        order = order[np.lexsort((level, group[order]))]
    return Pairing(
        opening=np.concatenate([single, order[0::2], extra_open]),
        closing=np.concatenate([single, order[1::2], extra_close]),
        unopened=unopened,
        unclosed=unclosed,
    )


def _depths(opens: Flags, group: Longs) -> Longs:
    """How many mentions of its chain are open after each run, runs sorted by chain."""
    running = np.cumsum(np.where(opens, 1, -1))
    starts = np.flatnonzero(np.append(True, group[1:] != group[:-1])) if len(group) else running
    before = np.append(0, running)[starts]
    return np.asarray(running - np.repeat(before, np.diff(np.append(starts, len(group)))))


def _unbalanced(depth: Longs, group: Longs) -> Flags | None:
    """Which runs belong to chains that close too much or too little; None where all is well."""
    if not len(depth):
        return None
    last = np.append(group[1:] != group[:-1], True)
    wrong = group[(depth < 0) | (last & (depth != 0))]
    return np.isin(group, wrong) if len(wrong) else None


def _pair_one_by_one(opens: Flags, group: Longs, order: Longs) -> tuple[Longs, Longs, Longs, Longs]:
    """Pair what can be paired in chains that do not balance."""
    paired: list[tuple[int, int]] = []
    unopened: list[int] = []
    open_now: dict[int, list[int]] = {}
    for run in order.tolist():
        stack = open_now.setdefault(int(group[run]), [])
        if opens[run]:
            stack.append(run)
        elif stack:
            paired.append((stack.pop(), run))
        else:
            unopened.append(run)
    unclosed = sorted(run for stack in open_now.values() for run in stack)
    pairs = np.array(paired, np.int64).reshape(-1, 2)
    return (pairs[:, 0], pairs[:, 1], np.array(sorted(unopened), np.int64), np.array(unclosed, np.int64))


def number_chains(opening: Longs, token: Longs, spans: Flags, group: Longs, groups: int) -> tuple[Ints, Longs]:
    """Number chains by first appearance: on one token, mentions of one token before longer ones.

    ``opening`` are runs in the order of the text; returns each mention's chain and, for each
    chain, its group.
    """
    rank = np.argsort(token * 2 + spans, kind="stable")
    ranked = group[rank]
    first = np.full(groups, len(opening), np.int64)
    first[ranked[::-1]] = np.arange(len(ranked))[::-1]
    used = np.flatnonzero(first < len(opening))
    by_appearance = used[np.argsort(first[used])]
    number = np.zeros(groups, np.int32)
    number[by_appearance] = np.arange(len(by_appearance))
    return number[group], by_appearance
