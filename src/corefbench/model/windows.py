"""Searching bytes eight at a time, at many places at once."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from corefbench.record import Hashes, Longs

Bytes: TypeAlias = NDArray[np.uint8]

SPARE = 8
"""Bytes that must follow the text, so that eight can be looked at from any place in it."""

_TAB, _BLANK = b"\t "
_ONES = np.uint64(0x0101010101010101)
_TOPS = np.uint64(0x8080808080808080)


def windows(data: Bytes) -> Hashes:
    """Every eight bytes of the data, overlapping, as numbers: the first byte is the lowest."""
    return np.ndarray((len(data) - SPARE + 1,), "<u8", data.data, strides=(1,))


def first_below(window: Hashes, limit: int) -> Longs:
    """How many bytes stand before the first that is less than ``limit``; 8 where none is.

    The lowest top bit of (x − limit) ∧ ¬x is at the first such byte; borrows only reach upwards.
    """
    return _leading((window - _ONES * np.uint64(limit)) & ~window & _TOPS)


def first_above(window: Hashes, limit: int) -> Longs:
    """How many bytes stand before the first that is more than ``limit``; 8 where none is."""
    return _leading(((window + _ONES * np.uint64(127 - limit)) | window) & _TOPS)


def _leading(marks: Hashes) -> Longs:
    lowest = marks & (~marks + np.uint64(1))
    return (np.bitwise_count(lowest - np.uint64(1)) >> 3).astype(np.int64)


def _walk(window: Hashes, position: Longs, stop: Longs, step: Callable[[Hashes], Longs]) -> Longs:
    """Move each position on, eight bytes at a time, to where ``step`` finds something."""
    moved = step(window[position])
    position = np.minimum(position + moved, stop)
    going = (moved == 8) & (position < stop)
    if np.count_nonzero(going) > len(going) // 4:  # for many it is cheaper not to pick them out
        moved = step(window[position]) * going
        position = np.minimum(position + moved, stop)
        going = (moved == 8) & (position < stop)
    live = np.flatnonzero(going)
    while len(live):
        moved = step(window[position[live]])
        position[live] += moved
        live = live[(moved == 8) & (position[live] < stop[live])]
    return np.minimum(position, stop)


def past_blanks(window: Hashes, position: Longs, stop: Longs) -> Longs:
    """Where, from each position, the next character that is not white space stands."""
    return _walk(window, position, stop, lambda w: first_above(w, _BLANK))


def next_blank(window: Hashes, position: Longs, stop: Longs) -> Longs:
    """Where, from each position, the next white space stands."""
    return _walk(window, position, stop, lambda w: first_below(w, _BLANK + 1))


def next_tab(window: Hashes, position: Longs, stop: Longs) -> Longs:
    """Where, from each position, the next tab stands."""
    return _walk(window, position, stop, lambda w: first_below(w, _TAB + 1))
