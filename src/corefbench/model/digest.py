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
from corefbench.record import Flags, Hashes, Longs

_LONG = 64
"""Chunks of eight bytes; longer words are few and are hashed one by one."""
_ALL = ~np.uint64(0)
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
    return int(digest_documents(Strings.of(words), np.array([0, len(words)]))[0])


def digest_documents(words: Strings, offsets: Longs) -> Hashes:
    """The digests of many documents, of which *d* has the words ``offsets[d]`` to
    ``offsets[d + 1]``.

    >>> both = digest_documents(Strings.of(["a", "b", "a"]), np.array([0, 2, 3]))
    >>> both.tolist() == [digest_words(["a", "b"]), digest_words(["a"])]
    True
    """
    data = np.frombuffer(words.blob + bytes(SPARE), np.uint8)
    position = np.arange(len(words), dtype=np.int64) - np.repeat(offsets[:-1], np.diff(offsets))
    sums = np.zeros(len(words) + 1, np.uint64)
    np.cumsum(sum_of_words(data, words.offsets[:-1], words.offsets[1:], position), out=sums[1:])
    return np.diff(sums[offsets])  # sums wrap around, and so do their differences


def digest_written(words: Strings, offsets: Longs, empty: Flags | None) -> Hashes:
    """The digests of documents that may have empty nodes: what is not written does not count."""
    if empty is not None:
        words = words.take(np.flatnonzero(~empty))
        offsets = np.concatenate(([0], np.cumsum(~empty)))[offsets]
    return digest_documents(words, offsets)


def sum_of_words(data: Bytes, start: Longs, end: Longs, position: Longs) -> Hashes:
    """The contribution of each word ``data[start:end]``; ``data`` needs eight bytes to spare."""
    window = windows(data)
    length = end - start
    total = digest_chunks(window[start] & _first_bytes(length), position, 0)
    total[length == 0] = 0
    chunk = 1
    live = np.flatnonzero(length > 8)
    while len(live) and chunk < _LONG:
        left = length[live] - 8 * chunk
        at = start[live] + 8 * chunk
        total[live] += digest_chunks(window[at] & _first_bytes(left), position[live], chunk)
        chunk += 1
        live = live[left > 8]
    for word in live.tolist():
        chunks = np.arange(chunk, -(-length[word] // 8))
        rest = window[start[word] + 8 * chunks] & _first_bytes(length[word] - 8 * chunks)
        total[word : word + 1] += digest_chunks(rest, position[word], chunks).sum(dtype=np.uint64)
    return total


def _first_bytes(count: Longs) -> Hashes:
    """A mask of the first so many bytes of eight."""
    return _ALL >> ((8 - np.minimum(count, 8)) << 3).astype(np.uint64)
