"""The head of a mention by the tree: the first word whose governor lies outside the mention."""

import numpy as np

from corefbench.formats.conllu import COLUMNS
from corefbench.formats.conllu_rows import Rows
from corefbench.formats.outliers import Outliers
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


class Heads:
    """The heads of mentions by the ``governors`` of a block's rows.

    >>> heads = Heads(np.array([2, 3, 1, ROOT, UNKNOWN]))
    >>> heads.of(np.array([0, 2, 4, 0]), np.array([3, 3, 5, 5])).tolist()
    [1, 2, -1, 3]
    """

    def __init__(self, governors: Longs) -> None:
        known = governors != UNKNOWN
        self.governors = governors
        self._known = np.flatnonzero(known)
        self._before = np.append(0, np.cumsum(known))
        """How many words before each have a governor that is known."""
        self._outliers = Outliers(governors[known])

    def of(self, start: Longs, end: Longs) -> Longs:
        """The heads of mentions ``start`` to ``end``, -1 where the tree tells none."""
        # A mention of one word is its own head, whatever governs it.
        found = np.where(self.governors[start] == UNKNOWN, -1, start)
        several = np.flatnonzero(end > start + 1)
        start, end = start[several], end[several]
        place = self._outliers.first(self._before[start], self._before[end], start, end - 1)
        found[several] = np.where(place < 0, -1, np.append(self._known, -1)[place])
        return found
