"""The brackets of a block of CorefUD, all at once.

Most sentences are plain: their brackets are well formed, each is closed by its own entity, and no
mention is in parts. Others are left to ``Brackets``, which also says what is wrong with them.
"""

from functools import cached_property
from typing import Self

import numpy as np

from corefbench.formats.brackets import Runs, pair
from corefbench.formats.conllu_rows import Rows
from corefbench.formats.corefud_items import ITEMS, Items
from corefbench.model.assemble import ranges
from corefbench.model.builder import Span
from corefbench.model.digest import sum_of_words
from corefbench.record import Columns, Longs

_OPEN, _CLOSE, _HYPHEN, _SQUARE = b"()-]"
_ENTITY = len(ITEMS[0])


class Chunks(Columns, frozen=True, eq=False):
    """The runs of bytes between brackets: places in the data of the block."""

    row: Longs
    start: Longs
    end: Longs
    runs: Runs

    @classmethod
    def of(cls, rows: Rows, entities: Items) -> Self:
        """Read the values of Entity."""
        start, length = entities.start + _ENTITY, entities.end - entities.start - _ENTITY
        where = ranges(start, length)
        text = rows.data[where]
        cell = np.repeat(np.arange(len(start)), length)
        opening, closing = text == _OPEN, text == _CLOSE
        inside = ~(opening | closing)
        new = np.diff(cell, prepend=-1, append=-1) != 0  # whether a byte begins a cell
        first = np.flatnonzero(inside & (new[:-1] | ~np.append(False, inside[:-1])))
        last = np.flatnonzero(inside & (new[1:] | ~np.append(inside[1:], False)))
        opens = ~new[first] & opening[first - 1]
        closes = ~new[last + 1] & closing[np.minimum(last + 1, len(text) - 1)]
        stray = opening | closing
        stray[first[opens] - 1] = False
        stray[last[closes] + 1] = False
        bare = cell[first[~(opens | closes)]]
        return cls(
            row=entities.row[cell[first]],
            start=where[first],
            end=where[last] + 1,
            runs=Runs(
                cell=cell[first],
                opens=opens,
                closes=closes,
                label=np.zeros(0, np.int64),
                malformed=np.unique(np.concatenate([cell[stray], bare])),
            ),
        )


class Plain:
    """The mentions of plain sentences, in the order in which they open."""

    def __init__(self, rows: Rows, items: Items) -> None:
        entities = items.take(items.kind == 0)
        chunks = Chunks.of(rows, entities)
        runs, sentence = chunks.runs, rows.sentence[chunks.row]
        hyphens = np.append(np.flatnonzero(rows.data == _HYPHEN), len(rows.data))
        hyphen = np.minimum(hyphens[np.searchsorted(hyphens, chunks.start)], chunks.end)
        name_end = np.where(runs.opens, hyphen, chunks.end)
        # Brackets of one entity are paired within a sentence: both are hashed together.
        named = sum_of_words(rows.data, chunks.start, name_end, sentence)
        _, group = np.unique(named, return_inverse=True)
        # Every run is a place of its own: on one word, brackets are taken as they come.
        pairing = pair(runs, np.arange(len(named)), group)
        order = np.argsort(pairing.opening)
        opening, closing = pairing.opening[order], pairing.closing[order]
        self.start, self.end = chunks.row[opening], chunks.row[closing] + 1
        odd = [
            sentence[pairing.unopened],
            sentence[pairing.unclosed],
            sentence[(rows.data[name_end - 1] == _SQUARE) | (name_end == chunks.start)],
            sentence[opening[_repeated(group[opening], self.start, self.end)]],
            rows.sentence[entities.row[runs.malformed]],
            rows.sentence[entities.row[1:][np.diff(entities.row) == 0]],
        ]
        self.odd: set[int] = set(np.concatenate(odd).tolist())
        """The sentences that are not plain; some of their mentions are here too."""
        self.labels = rows.texts(chunks.start[opening], name_end[opening])
        after = np.minimum(name_end + 1, chunks.end)
        self.rests = rows.texts(after[opening], chunks.end[opening])
        """What stands in the opening bracket after the entity."""
        edges = np.searchsorted(sentence[opening], np.arange(len(rows.first)))
        self.edges: list[int] = edges.tolist()
        """Sentence *s* has the mentions ``edges[s]`` to ``edges[s + 1]``."""

    @cached_property
    def spans(self) -> list[Span]:
        """The rows of each mention."""
        return list(zip(self.start.tolist(), self.end.tolist(), strict=True))


def _repeated(group: Longs, start: Longs, end: Longs) -> Longs:
    """The mentions that are in one group with another of the same span."""
    order = np.lexsort((end, start, group))
    same = np.ones(max(len(order) - 1, 0), np.bool_)
    for column in (group, start, end):
        same &= np.diff(column[order]) == 0
    return order[1:][same]
