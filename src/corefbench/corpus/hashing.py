"""Hash the words of documents, to notice differing texts without keeping them.

Each word is hashed from its bytes, eight at a time, and mixed with its position; the sum over the
document, modulo 2⁶⁴, is its digest. Columnar readers compute it from bytes, others by
``digest_documents``, with the same result. It detects mistakes, not forgeries: signatures use SHA-256.
"""

import numpy as np

from corefbench.corpus.byte_search import PADDING, Bytes, byte_windows
from corefbench.corpus.strings import Strings
from corefbench.records import Flags, Hashes, Longs

_MAX_CHUNKS = 64
"""Words of more chunks of eight bytes are rare and are hashed one by one."""
_ALL = ~np.uint64(0)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)


def mix_bits(values: Hashes) -> Hashes:
    """Mix the bits of 64-bit values (the first half of the splitmix64 finaliser)."""
    values = (values ^ (values >> np.uint64(30))) * _MIX
    return values ^ (values >> np.uint64(27))


def hash_chunks(chunks: Hashes, position: Longs, chunk: Longs | int) -> Hashes:
    """Hash 8-byte chunks: number ``chunk`` of the word at ``position``."""
    place = np.asarray(position, np.uint64) * np.uint64(64) + np.asarray(chunk, np.uint64)
    return mix_bits(chunks + place * _STEP)


def digest_documents(words: Strings, offsets: Longs) -> Hashes:
    """Return the digests of documents; *d* has the words ``offsets[d]`` to ``offsets[d + 1]``.

    >>> first, second = digest_documents(Strings.of(["a", "b", "b", "a"]), np.array([0, 2, 4]))
    >>> bool(first == second)
    False
    """
    data = np.frombuffer(words.blob + bytes(PADDING), np.uint8)
    position = np.arange(len(words), dtype=np.int64) - np.repeat(offsets[:-1], np.diff(offsets))
    sums = np.zeros(len(words) + 1, np.uint64)
    np.cumsum(hash_words(data, words.offsets[:-1], words.offsets[1:], position), out=sums[1:])
    return np.diff(sums[offsets])  # sums wrap around, and so do their differences


def digest_surface_words(words: Strings, offsets: Longs, empty: Flags | None) -> Hashes:
    """Return the digests of documents without their empty nodes."""
    if empty is not None:
        words = words.take(np.flatnonzero(~empty))
        offsets = np.concatenate(([0], np.cumsum(~empty)))[offsets]
    return digest_documents(words, offsets)


def hash_words(data: Bytes, start: Longs, end: Longs, position: Longs) -> Hashes:
    """Hash each word ``data[start:end]``; ``data`` is padded by ``PADDING`` bytes."""
    window = byte_windows(data)
    length = end - start
    total = hash_chunks(window[start] & _byte_mask(length), position, 0)
    total[length == 0] = 0
    chunk = 1
    live = np.flatnonzero(length > 8)
    while len(live) and chunk < _MAX_CHUNKS:
        left = length[live] - 8 * chunk
        at = start[live] + 8 * chunk
        total[live] += hash_chunks(window[at] & _byte_mask(left), position[live], chunk)
        chunk += 1
        live = live[left > 8]
    for word in live.tolist():
        chunks = np.arange(chunk, -(-length[word] // 8))
        rest = window[start[word] + 8 * chunks] & _byte_mask(length[word] - 8 * chunks)
        total[word : word + 1] += hash_chunks(rest, position[word], chunks).sum(dtype=np.uint64)
    return total


def _byte_mask(count: Longs) -> Hashes:
    """Return a mask of the first ``count`` of eight bytes."""
    return _ALL >> ((8 - np.minimum(count, 8)) << 3).astype(np.uint64)
