"""A column of strings: one block of UTF-8 bytes and where each string begins."""

import itertools
from collections.abc import Iterable, Iterator

import numpy as np

from corefbench.corpus.byte_search import Bytes
from corefbench.records import Columns, Longs

_BATCH_BYTES = 1 << 22


class Strings(Columns, frozen=True, eq=False):
    """Many strings in one block of bytes.

    >>> words = Strings.of(["The", "café", ""])
    >>> words[1], len(words), list(words)
    ('café', 3, ['The', 'café', ''])
    """

    blob: bytes
    offsets: Longs

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Strings":
        texts = list(texts)
        joined = "\0".join(texts).encode()
        breaks = np.flatnonzero(np.frombuffer(joined, np.uint8) == 0)
        if len(breaks) != len(texts) - 1:  # no strings, or one that contains NUL
            return cls.of_bytes([text.encode() for text in texts])
        offsets = np.zeros(len(texts) + 1, np.int64)
        offsets[1:-1] = breaks - np.arange(len(breaks))
        offsets[-1] = len(joined) - len(breaks)
        return cls(blob=joined.replace(b"\0", b""), offsets=offsets)

    @classmethod
    def of_bytes(cls, pieces: list[bytes]) -> "Strings":
        offsets = np.zeros(len(pieces) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, pieces), np.int64, len(pieces)), out=offsets[1:])
        return cls(blob=b"".join(pieces), offsets=offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> str:
        index = range(len(self))[index]
        return self.blob[self.offsets[index] : self.offsets[index + 1]].decode("utf-8", "replace")

    def __iter__(self) -> Iterator[str]:
        edges = self.offsets.tolist()
        for start, end in itertools.pairwise(edges):
            yield self.blob[start:end].decode("utf-8", "replace")

    def slice(self, start: int, stop: int) -> list[str]:
        """Return the strings ``start`` to ``stop``, decoded."""
        edges = self.offsets[start : stop + 1].tolist()
        first, last = edges[0], edges[-1]
        piece = self.blob[first:last]
        if piece.isascii():  # one byte per character, so all are decoded at once
            text = piece.decode("ascii")
            return [text[a - first : b - first] for a, b in itertools.pairwise(edges)]
        return [self.blob[a:b].decode("utf-8", "replace") for a, b in itertools.pairwise(edges)]

    def same(self, start: int, stop: int, other: "Strings", other_start: int) -> bool:
        """Return whether the strings ``start`` to ``stop`` equal those of another column.

        >>> Strings.of(["a", "bc", "d"]).same(1, 3, Strings.of(["bc", "d"]), 0)
        True
        """
        if other_start + stop - start > len(other):
            return False
        mine = self.offsets[start : stop + 1]
        theirs = other.offsets[other_start : other_start + stop - start + 1]
        return bool(
            (mine - mine[0] == theirs - theirs[0]).all()
            and self.blob[mine[0] : mine[-1]] == other.blob[theirs[0] : theirs[-1]]
        )

    def take(self, indices: Longs) -> "Strings":
        """Return the strings at ``indices``, in that order."""
        data = np.frombuffer(self.blob, np.uint8)
        return Strings.between(data, self.offsets[indices], self.offsets[np.asarray(indices) + 1])

    @classmethod
    def between(cls, data: Bytes, start: Longs, end: Longs) -> "Strings":
        """Return the strings ``data[start:end]``."""
        length = end - start
        offsets = np.zeros(len(length) + 1, np.int64)
        np.cumsum(length, out=offsets[1:])
        # The index has 16 bytes for each byte that is copied, so only some bytes are copied at a time.
        batch = offsets[:-1] // _BATCH_BYTES
        is_long = length > _BATCH_BYTES
        new_batch = (batch[1:] != batch[:-1]) | is_long[1:] | is_long[:-1]
        edges = [0, *(np.flatnonzero(new_batch) + 1).tolist(), len(length)]
        pieces = []
        for a, b in itertools.pairwise(edges):
            if b == a + 1:
                pieces.append(data[start[a] : end[a]].tobytes())
                continue
            where = np.repeat(start[a:b] - offsets[a:b], length[a:b]) + np.arange(offsets[a], offsets[b])
            pieces.append(data[where].tobytes())
        return cls(blob=b"".join(pieces), offsets=offsets)

    @classmethod
    def concatenate(cls, columns: list["Strings"]) -> "Strings":
        """Concatenate several columns."""
        offsets = [np.zeros(1, np.int64)]
        total = 0
        for column in columns:
            offsets.append(column.offsets[1:] - column.offsets[0] + total)
            total += int(column.offsets[-1] - column.offsets[0])
        blob = b"".join(c.blob[c.offsets[0] : c.offsets[-1]] for c in columns)
        return cls(blob=blob, offsets=np.concatenate(offsets))
