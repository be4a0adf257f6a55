"""The head of a mention by the tree: the first word whose governor lies outside the mention."""

import numpy as np

from corefbench.formats.conllu import COLUMNS
from corefbench.formats.conllu_rows import Rows
from corefbench.model.assemble import ranges
from corefbench.model.digest import sum_of_words
from corefbench.record import Flags, Longs

ROOT, UNKNOWN = -1, -2


def governors(rows: Rows) -> Longs:
    """For each row that of its governor: ROOT for a root, UNKNOWN where nothing is said.

    A root without a relation says nothing: files without trees make every word one.
    A governor is named by its ID, which is unique in its sentence: ID and sentence are hashed
    together, and the hashes of governors are looked up among those of the words.
    """
    start, end = rows.cells(COLUMNS.index("head"))
    named = sum_of_words(rows.data, start, end, rows.sentence)
    own = sum_of_words(rows.data, *rows.cells(COLUMNS.index("id")), rows.sentence)
    order = np.argsort(own, kind="stable")
    found = order[np.searchsorted(own[order], named, "right") - 1]
    there = (own[found] == named) & (rows.sentence[found] == rows.sentence)
    known: Longs = np.where(there, found, ROOT)
    unrelated = _is_blank(rows, "deprel") & ~there
    return np.where(_is_blank(rows, "head") | unrelated, UNKNOWN, known)


def _is_blank(rows: Rows, column: str) -> Flags:
    start, end = rows.cells(COLUMNS.index(column))
    return np.asarray((end == start + 1) & (rows.data[start] == ord("_")))


def heads(governor: Longs, start: Longs, end: Longs) -> Longs:
    """The heads of mentions ``start`` to ``end``, -1 where the tree tells none.

    >>> governor = np.array([2, 3, 1, ROOT, UNKNOWN])
    >>> heads(governor, np.array([0, 2, 4, 0]), np.array([3, 3, 5, 5])).tolist()
    [1, 2, -1, 3]
    """
    length = end - start
    word = ranges(start, length)
    mention = np.repeat(np.arange(len(start)), length)
    above = governor[word]
    inside = (above >= start[mention]) & (above < end[mention])
    # A mention of one word is its own head, whatever governs it.
    good = np.flatnonzero((above != UNKNOWN) & (~inside | (length[mention] == 1)))[::-1]
    found = np.full(len(start), -1, np.int64)
    found[mention[good]] = word[good]
    return found
