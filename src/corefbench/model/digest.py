"""A hash of a document's words, so that differing texts are noticed without keeping them.

Each word is hashed from its bytes, eight at a time, and mixed with its position; the sum over the
document, modulo 2⁶⁴, is its digest. A fast reader computes it from columns of bytes, others by
``digest_words``, to the same value. It guards against mistakes, not against malice: signatures use
SHA-256.
"""

from collections.abc import Sequence

import numpy as np

from corefbench.model.strings import Strings
from corefbench.model.windows import SPARE, Bytes, windows
from corefbench.record import Hashes, Longs

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)


def mix(values: Hashes) -> Hashes:
    """Scatter 64-bit values (the first half of the splitmix64 finaliser)."""
    values = (values ^ (values >> np.uint64(30))) * _MIX
    return values ^ (values >> np.uint64(27))


def digest_chunks(chunks: Hashes, position: Longs, chunk: Longs | int) -> Hashes:
    """The contribution of 8-byte chunks: number ``chunk`` of the word at ``position``."""
    place = np.asarray(position, np.uint64) * np.uint64(64) + np.asarray(chunk, np.uint64)
    return mix(chunks + place * _STEP)


def digest_words(words: Sequence[str]) -> int:
    """The digest of a whole document.

    >>> digest_words(["a", "b"]) == digest_words(["b", "a"])
    False
    """
    column = Strings.of(words)
    data = np.frombuffer(column.blob + bytes(SPARE), np.uint8)
    start, end = column.offsets[:-1], column.offsets[1:]
    position = np.arange(len(words), dtype=np.int64)
    return int(sum_of_words(data, start, end, position).sum(dtype=np.uint64))


def sum_of_words(data: Bytes, start: Longs, end: Longs, position: Longs) -> Hashes:
    """The contribution of each word ``data[start:end]``; ``data`` needs eight bytes to spare."""
    window = windows(data)
    total = np.zeros(len(start), np.uint64)
    live = np.flatnonzero(end > start)
    chunk = 0
    while len(live):
        at = start[live] + 8 * chunk
        left = np.minimum(end[live] - at, 8).astype(np.uint64)
        keep = ~np.uint64(0) >> ((np.uint64(8) - left) * np.uint64(8))
        total[live] += digest_chunks(window[at] & keep, position[live], chunk)
        chunk += 1
        live = live[end[live] > start[live] + 8 * chunk]
    return total
