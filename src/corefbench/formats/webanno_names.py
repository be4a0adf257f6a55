"""Numbers written in many places at once, and the names of WebAnno's tokens, ``2-3``."""

import numpy as np

from corefbench.formats.conllu_rows import Rows
from corefbench.formats.plain import require
from corefbench.model.windows import Bytes
from corefbench.record import Longs

_HYPHEN, _ZERO = b"-0"
_BITS = 22
"""So many for the number of a sentence, and of a token; the others are for the document."""


def naturals(data: Bytes, start: Longs, end: Longs) -> Longs:
    """The numbers ``data[start:end]``, of at most nine digits and without zeros before them.

    >>> naturals(np.frombuffer(b"7,305", np.uint8), np.array([0, 2]), np.array([1, 5])).tolist()
    [7, 305]
    """
    length = end - start
    require(((length > 0) & (length <= 9)).all())
    require(not ((data[start] == _ZERO) & (length > 1)).any())
    value = np.zeros(len(start), np.int64)
    for digit in range(int(length.max(initial=0))):
        inside = digit < length
        figure = data[np.minimum(start + digit, end - 1)] - np.uint8(_ZERO)
        require((figure <= 9).all())
        value = np.where(inside, 10 * value + figure, value)
    return value


class Names:
    """The names of tokens, which rise within a document, so that there are no two of one name."""

    def __init__(self, rows: Rows, document: Longs) -> None:
        """``document`` is the number of each row's document."""
        start, end = rows.cells(0)
        hyphens = np.append(np.flatnonzero(rows.data == _HYPHEN), len(rows.data))
        hyphen = hyphens[np.searchsorted(hyphens, start)]
        require((hyphen < end).all())
        sentence = naturals(rows.data, start, hyphen)
        self._keys = self._packed(document, sentence, naturals(rows.data, hyphen + 1, end))
        require((np.diff(self._keys) > 0).all())

    @staticmethod
    def _packed(document: Longs, sentence: Longs, token: Longs) -> Longs:
        require(max(sentence.max(initial=0), token.max(initial=0)) < 1 << _BITS)
        require(document.max(initial=0) < 1 << 18)
        return (document << 2 * _BITS) | (sentence << _BITS) | token

    def rows(self, document: Longs, sentence: Longs, token: Longs) -> Longs:
        """The rows of tokens with these numbers, which must be there."""
        wanted = self._packed(document, sentence, token)
        row = np.searchsorted(self._keys, wanted)
        require((self._keys.take(row, mode="clip") == wanted).all())
        return row
