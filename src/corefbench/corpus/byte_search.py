"""Search for bytes at many positions at once, eight bytes at a time."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from corefbench.records import Hashes, Longs

Bytes: TypeAlias = NDArray[np.uint8]

PADDING = 8
"""Bytes that must follow the text, so that eight can be read from any position in it."""

_TAB, _BLANK = b"\t "
_ONES = np.uint64(0x0101010101010101)
_TOPS = np.uint64(0x8080808080808080)


def byte_windows(data: Bytes) -> Hashes:
    """Return all overlapping windows of eight bytes as little-endian numbers."""
    return np.ndarray((len(data) - PADDING + 1,), "<u8", data.data, strides=(1,))


def first_below(window: Hashes, limit: int) -> Longs:
    """Count the bytes before the first that is less than ``limit``; 8 if none is.

    The lowest top bit of (x − limit) ∧ ¬x is at the first such byte; borrows only reach upwards.
    """
    return _bytes_before_mark((window - _ONES * np.uint64(limit)) & ~window & _TOPS)


def first_above(window: Hashes, limit: int) -> Longs:
    """Count the bytes before the first that is greater than ``limit``; 8 if none is."""
    return _bytes_before_mark(((window + _ONES * np.uint64(127 - limit)) | window) & _TOPS)


def _bytes_before_mark(marks: Hashes) -> Longs:
    lowest = marks & (~marks + np.uint64(1))
    return (np.bitwise_count(lowest - np.uint64(1)) >> 3).astype(np.int64)


def _advance(window: Hashes, position: Longs, stop: Longs, step: Callable[[Hashes], Longs]) -> Longs:
    """Advance each position, eight bytes at a time, to the byte that ``step`` finds."""
    moved = step(window[position])
    position = np.minimum(position + moved, stop)
    active = (moved == 8) & (position < stop)
    if np.count_nonzero(active) > len(active) // 4:  # selecting many costs more than stepping all
        moved = step(window[position]) * active
        position = np.minimum(position + moved, stop)
        active = (moved == 8) & (position < stop)
    live = np.flatnonzero(active)
    while len(live):
        moved = step(window[position[live]])
        position[live] += moved
        live = live[(moved == 8) & (position[live] < stop[live])]
    return np.minimum(position, stop)


def skip_blanks(window: Hashes, position: Longs, stop: Longs) -> Longs:
    """Return the next position of a character that is not white space."""
    return _advance(window, position, stop, lambda w: first_above(w, _BLANK))


def find_blank(window: Hashes, position: Longs, stop: Longs) -> Longs:
    """Return the next position of white space."""
    return _advance(window, position, stop, lambda w: first_below(w, _BLANK + 1))


def find_tab(window: Hashes, position: Longs, stop: Longs) -> Longs:
    """Return the next position of a tab."""
    return _advance(window, position, stop, lambda w: first_below(w, _TAB + 1))
