"""The spans of PreCo's clusters as columns, straight from the bytes of the file."""

import re
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from corefbench.record import Columns, Longs

Spot: TypeAlias = tuple[int, int, int]
"""Sentence, begin and end."""

# What is left of the clusters of documents without their numbers; no cluster may be empty.
_SHAPE = re.compile(rb"(?:\[(?:\[(?:\[,,\],?)++\],?)*+\])*+")
_BLANKS, _DIGITS = b" \t\r\n", b"0123456789"
_LIMIT = 1 << 31


class Spots(Columns, frozen=True, eq=False):
    """Spans, document after document and cluster after cluster."""

    sentence: Longs
    begin: Longs
    end: Longs
    shapes: list[bytes]
    """The clusters of every document without their numbers: ``[[[,,],[,,]],[[,,]]]``."""

    def counts(self) -> list[int]:
        """How many spans each document has."""
        return [shape.count(b",,") for shape in self.shapes]

    def sizes(self) -> list[list[int]]:
        """How many spans each cluster of each document has."""
        clusters = (shape[3:-3].split(b"]],[[") if len(shape) > 2 else [] for shape in self.shapes)
        return [[(len(cluster) + 3) // 5 for cluster in some] for some in clusters]


def plain_spots(documents: Sequence[bytes]) -> Spots | None:
    """The spans of the clusters of documents, in well-formed JSON, if they are nothing but triples
    of numbers, not negative and not too large, and no cluster is empty.

    >>> spots = plain_spots([b"[[[0, 1, 2], [3, 0, 1]], [[2, 5, 6]]]", b"[[[7, 0, 1]]]"])
    >>> spots.sentence.tolist(), spots.sizes(), plain_spots([b"[[[0, 1]]]"])
    ([0, 3, 2, 7], [[2, 1], [1]], None)
    """
    shapes = [clusters.translate(None, _BLANKS + _DIGITS) for clusters in documents]
    if not all(shapes) or _SHAPE.fullmatch(b"".join(shapes)) is None:
        return None
    numbers = (clusters.translate(None, _BLANKS + b"[]") for clusters in documents)
    joined = b",".join(filter(None, numbers)).decode()
    flat = np.fromstring(joined, np.int64, sep=",") if joined else np.zeros(0, np.int64)
    if flat.max(initial=0) >= _LIMIT:
        return None
    sentence, begin, end = flat.reshape(-1, 3).T
    return Spots(sentence=sentence, begin=begin, end=end, shapes=shapes)
