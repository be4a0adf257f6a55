"""The spans of many WebAnno documents at once, and the mentions they are."""

import numpy as np

from corefbench.formats.appearance import by_appearance
from corefbench.formats.conllu_rows import Rows
from corefbench.formats.plain import require
from corefbench.formats.webanno_cells import Values
from corefbench.formats.webanno_lines import Layer, unescaped
from corefbench.formats.webanno_names import Names
from corefbench.formats.webanno_text import Frame
from corefbench.model.assemble import ranges
from corefbench.model.corpus import Mentions, Parts
from corefbench.model.strings import Strings
from corefbench.record import Longs

_NAMED = 1 << 62
_NOTHING = b"*_"


class Spans:
    """The spans of documents, numbered by first appearance."""

    def __init__(self, rows: Rows, layers: list[Layer], frame: Frame) -> None:
        self.rows = rows
        self.layers = layers
        self.frame = frame
        self.names = Names(rows, frame.document)
        self.values = values = Values.of(rows, layers)
        require(len(layers) < 1 << 12)  # for the bits of keys
        self.layer_names = [layer.name for layer in layers]
        # Layers of one name are one.
        edges = np.array([layer.column for layer in layers])
        number = np.array([self.layer_names.index(layer.name) for layer in layers])
        layer = number[np.searchsorted(edges, values.column, "right") - 1]
        keys = self._keys(layer, values.row, values.number)
        self.first, self.span = by_appearance(keys)
        self._sorted = np.argsort(keys[self.first])
        self._known = keys[self.first][self._sorted]
        self._arrange()

    def _keys(self, layer: Longs | int, row: Longs, number: Longs) -> Longs:
        """What relations call spans: layer and number, or layer and first token."""
        numbered = (self.frame.document[row] << 30) | number
        keys: Longs = np.where(number > 0, numbered, _NAMED | row)
        return keys | (np.asarray(layer, np.int64) << 50)

    def _arrange(self) -> None:
        """Find the parts of the spans, and the order in which these open."""
        by_span = np.argsort(self.span, kind="stable")
        span, row = self.span[by_span], self.values.row[by_span]
        new = np.diff(span, prepend=-1) > 0
        begins = np.flatnonzero(new | (np.diff(row, prepend=-1) > 1))
        ends = np.append(begins, len(row))[1:] - 1
        self.parts = np.append(np.searchsorted(span[begins], np.arange(len(self.first))), len(ends))
        document = self.frame.document[row[begins]]
        shift = self.frame.offsets[document]
        self.start, self.end = row[begins] - shift, row[ends] + 1 - shift
        head, last = self.parts[:-1], self.parts[1:] - 1
        self.document = document[head]
        self.order = np.lexsort((-self.end[last], self.start[head], self.document))
        self.number = np.argsort(self.order)

    def named(self, layer: str, row: Longs, number: Longs) -> list[int]:
        """The spans of a layer by number or, where that is 0, by their one row."""
        require(layer in self.layer_names and len(self._known))
        keys = self._keys(self.layer_names.index(layer), row, number)
        place = np.searchsorted(self._known, keys)
        require((self._known.take(place, mode="clip") == keys).all())
        found: list[int] = self._sorted[place].tolist()
        return found

    def mentions(self, chain: Longs) -> Mentions:
        """The mentions, given their chains, in the order in which they open."""
        head, last = self.parts[:-1][self.order], self.parts[1:][self.order] - 1
        count = last + 1 - head
        parts = None
        if (count > 1).any():
            which = ranges(head, count)
            parts = Parts(
                offsets=np.append(0, np.cumsum(count)),
                start=self.start[which].astype(np.int32),
                end=self.end[which].astype(np.int32),
            )
        return Mentions(
            document=self.document[self.order].astype(np.int32),
            start=self.start[head].astype(np.int32),
            end=self.end[last].astype(np.int32),
            chain=chain.astype(np.int32),
            parts=parts,
            columns=self._columns(),
        )

    def _columns(self) -> dict[str, Strings]:
        """The features that have values, in the order in which mentions first have them."""
        values, data = self.values, self.rows.data
        bare = (values.end == values.start + 1) & np.isin(data[values.start], list(_NOTHING))
        told = ~bare & (values.end > values.start)
        found = []
        for name, columns in self._features().items():
            mine = np.flatnonzero(told & np.isin(values.column, columns))
            if len(mine):
                mention = self.number[self.span[mine]]
                start, end = np.zeros((2, len(self.first)), np.int64)
                # Of two values, the last counts.
                start[mention], end[mention] = values.start[mine], values.end[mine]
                earliest = int(mention.min())
                place = int(mine[np.argmax(mention == earliest)])
                found.append((earliest, place, name, self._unescaped(start, end)))
        return {name: column for _, _, name, column in sorted(found, key=lambda some: some[:2])}

    def _features(self) -> dict[str, list[int]]:
        """The columns of each feature."""
        found: dict[str, list[int]] = {}
        for layer in self.layers:
            for column, name in enumerate(layer.features, layer.column):
                if name:
                    found.setdefault(name, []).append(column)
        return found

    def _unescaped(self, start: Longs, end: Longs) -> Strings:
        column = self.rows.gather(start, end)
        return Strings.of(map(unescaped, column)) if b"\\" in column.blob else column
