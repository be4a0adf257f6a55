"""The tokens of a block of CorefUD: words and columns without an object per token."""

import numpy as np

from corefbench.formats.conllu import COLUMNS
from corefbench.formats.conllu_rows import Rows
from corefbench.formats.corefud_items import Items, other_items
from corefbench.formats.corefud_said import said_columns
from corefbench.model.corpus import Tokens
from corefbench.model.digest import sum_of_words
from corefbench.model.strings import Strings
from corefbench.record import Hashes, Longs

_ZEROS = ("id", "deps")
"""Zeros are matched by their dependencies, so these stay even where the words do not."""


def read_tokens(rows: Rows, offsets: Longs, items: Items, *, words: bool) -> Tokens:
    """The tokens of documents that have the rows ``offsets[d]`` to ``offsets[d + 1]``."""
    zeros = bool(rows.empty.any())
    if words:
        columns = {n: rows.column(i) for i, n in enumerate(COLUMNS) if n not in ("form", "misc")}
        columns["misc"] = other_items(rows, items)
        columns |= said_columns(rows, offsets)
    else:
        columns = {name: _beside_zeros(rows, name) for name in _ZEROS if zeros}
    return Tokens(
        offsets=offsets,
        sentences=rows.first[:-1],
        digests=_digests(rows, offsets),
        words=rows.column(COLUMNS.index("form")) if words else None,
        empty=rows.empty if zeros else None,
        columns=columns,
    )


def _beside_zeros(rows: Rows, name: str) -> Strings:
    """A column of the sentences that have empty nodes; nothing in the others."""
    start, end = rows.cells(COLUMNS.index(name))
    beside = np.logical_or.reduceat(rows.empty, rows.first[:-1])[rows.sentence]
    return rows.gather(start, np.where(beside, end, start))


def _digests(rows: Rows, offsets: Longs) -> Hashes:
    """The digest of each document's words, which does not see empty nodes."""
    start, end = rows.cells(COLUMNS.index("form"))
    seen = np.append(0, np.cumsum(~rows.empty))
    document = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    position = seen[:-1] - seen[offsets[document]]
    # An empty cell adds nothing.
    end = np.where(rows.empty, start, end)
    running = np.zeros(len(rows) + 1, np.uint64)
    np.cumsum(sum_of_words(rows.data, start, end, position), out=running[1:])
    return running[offsets[1:]] - running[offsets[:-1]]
