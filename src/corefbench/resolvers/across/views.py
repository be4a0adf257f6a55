"""Views of mentions: what each is compared by, a row of length 1 for every mention."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from corefbench.record import Columns, Longs

_AT_ONCE = 1 << 16
_SQUARE = 6000
"""Up to so many rows it is cheaper to compare all with all than pair by pair."""


class View(Columns, frozen=True, eq=False):
    """Rows of a matrix, sparse or not, and which row is whose: many mentions may share one."""

    name: str
    rows: Any
    of: Longs
    """The row of each mention; -1 where it has none."""

    def similarity(self, one: Longs, other: Longs) -> NDArray[np.float32]:
        """The cosine of the rows of each pair; missing (NaN) where a row is empty or not there."""
        a, b = self.of[one], self.of[other]
        count = self.rows.shape[0]
        if count <= _SQUARE and count * count < 8 * len(one):
            made = self._square()[a, b]
        else:
            made = np.empty(len(one), np.float32)
            for first in range(0, len(one), _AT_ONCE):
                some = slice(first, first + _AT_ONCE)
                made[some] = self._products(a[some], b[some])
        empty = self._empty()
        made[(a < 0) | (b < 0) | empty[a] | empty[b]] = np.nan
        return made

    def _square(self) -> NDArray[np.float32]:
        made = self.rows @ self.rows.T
        return np.asarray(made if isinstance(made, np.ndarray) else made.toarray(), np.float32)

    def _products(self, a: Longs, b: Longs) -> NDArray[np.float32]:
        if isinstance(self.rows, np.ndarray):
            made: NDArray[np.float32] = np.einsum("ij,ij->i", self.rows[a], self.rows[b])
            return made
        return np.asarray(self.rows[a].multiply(self.rows[b]).sum(axis=1), np.float32).reshape(-1)

    def _empty(self) -> NDArray[np.bool_]:
        if isinstance(self.rows, np.ndarray):
            return np.asarray(~self.rows.any(axis=1), np.bool_)
        return np.asarray(np.diff(self.rows.indptr) == 0, np.bool_)
