"""Where mentions stand in the tokens that are shown: a response may have other empty nodes."""

from collections.abc import Sequence

import numpy as np

from corefbench.record import Columns, Longs
from corefbench.runs.schema import Layer, Marked, Span, Words


class Places(Columns, frozen=True, eq=False):
    """The mentions of one side."""

    start: Longs
    end: Longs
    parts: Sequence[tuple[Span, ...]] | None = None
    """None where all are contiguous."""

    def spans(self) -> list[Span]:
        """From the first token of each to its last."""
        return list(zip(self.start.tolist(), self.end.tolist(), strict=True))


def places(marked: Marked, layer: Layer | None, shown: Layer | None) -> Places:
    """The mentions of a layer, in the tokens of the one that is shown."""
    if layer is not None and shown is not None and layer.tokens.count != shown.tokens.count:
        return _of_parts(_moved(marked, layer.tokens, shown.tokens))
    if marked.parts is not None:
        return _of_parts(marked.parts)
    return Places(start=_longs(marked.start), end=_longs(marked.end))


def _of_parts(parts: Sequence[tuple[Span, ...]]) -> Places:
    return Places(
        start=_longs([some[0][0] for some in parts]),
        end=_longs([some[-1][1] for some in parts]),
        parts=parts,
    )


def _longs(numbers: Sequence[int]) -> Longs:
    return np.array(numbers, np.int64)


def _moved(marked: Marked, own: Words, shown: Words) -> list[tuple[Span, ...]]:
    spans = zip(marked.start, marked.end, strict=True)
    parts = marked.parts if marked.parts is not None else [(span,) for span in spans]
    last = shown.count - 1
    where = {ordinal: token for token, ordinal in enumerate(_written(shown))}
    moved = [min(where.get(ordinal, last), last) for ordinal in _written(own)]
    return [tuple((moved[a], moved[b - 1] + 1) for a, b in some) for some in parts]


def _written(tokens: Words) -> list[float]:
    """The number of each token among those that are written; empty nodes stand between."""
    empty, seen, made = set(tokens.empty or ()), 0, []
    for token in range(tokens.count):
        made.append(seen - 0.5 if token in empty else float(seen))
        seen += token not in empty
    return made
