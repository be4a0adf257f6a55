"""The tokens of annotated characters: contiguous mentions all at once, the others one by one."""

from collections.abc import Sequence

import numpy as np

from corefbench.formats.brat_lines import Annotation
from corefbench.formats.layout import merged
from corefbench.formats.tokenise import Span
from corefbench.record import Columns, Longs


class Spans(Columns, frozen=True, eq=False):
    """The half-open token spans of mentions, and the parts of those that are discontinuous."""

    start: Longs
    end: Longs
    split: dict[int, list[Span]]

    def parts(self, row: int) -> list[Span]:
        return self.split.get(row) or [(int(self.start[row]), int(self.end[row]))]


def token_spans(found: Annotation, begins: Longs) -> Spans:
    """The spans of all mentions, given where tokens begin; the edges of mentions break tokens."""
    start, end = np.searchsorted(begins, found.begin), np.searchsorted(begins, found.end)
    split: dict[int, list[Span]] = {}
    for row, mark in enumerate(found.ids) if found.fragments else ():
        if mark in found.fragments:
            edges = np.searchsorted(begins, found.fragments[mark]).tolist()
            parts = merged((first, past) for first, past in edges)
            start[row], end[row] = parts[0][0], parts[-1][1]
            if len(parts) > 1:
                split[row] = parts
    return Spans(start=start, end=end, split=split)


def span_text(parts: Sequence[Span]) -> str:
    """Half-open token spans in print.

    >>> span_text([(3, 4), (6, 8)])
    '3:4+6:8'
    """
    return "+".join(f"{start}:{end}" for start, end in parts)
