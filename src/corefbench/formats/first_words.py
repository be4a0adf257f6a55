"""Which word of each of many texts is the first that is a certain one, for all at once."""

from collections.abc import Sequence

import numpy as np

from corefbench.formats.characters import LETTER, Characters
from corefbench.formats.segments import starts_of
from corefbench.model.strings import Strings
from corefbench.model.windows import SPARE, windows
from corefbench.record import Hashes, Longs

_LONGEST = 16
"""The bytes of the longest word that is found: two windows of eight tell it from all others."""
_BLANK = ord(" ")
_MASKS = np.array([(1 << 8 * count) - 1 for count in range(SPARE + 1)], np.uint64)


class Spelling:
    """Many pieces of some bytes, to be compared by their first and last eight."""

    def __init__(self, data: bytes, begin: Longs, end: Longs) -> None:
        self.window = windows(np.frombuffer(data + bytes(SPARE), np.uint8))
        self.begin, self.end = begin, end
        self.length = end - begin
        self.head = self._eight(begin, end)

    def tail(self, which: Longs) -> Hashes:
        """The last eight bytes of some pieces, all bytes of those that are shorter."""
        begin, end = self.begin[which], self.end[which]
        return self._eight(np.maximum(begin, end - SPARE), end)

    def _eight(self, begin: Longs, end: Longs) -> Hashes:
        eight: Hashes = self.window[begin] & _MASKS[np.minimum(end - begin, SPARE)]
        return eight


class FirstWords:
    """Finds, in every text, the first of its words (``\\w+``) that is spelt like the text's name,
    but for capitals. Words beyond 16 bytes and texts beyond ASCII are left to others.

    >>> words = FirstWords(["The Cook saw Ann, the cook.", "Anna ran."])
    >>> words.of(Strings.of(["cook", "ann"]), np.array([0, 1])).tolist()
    [1, -1]
    >>> int(words.begin[1]), int(words.end[1])
    (4, 8)
    """

    def __init__(self, texts: Sequence[str]) -> None:
        characters = Characters("\n".join(texts))
        self.starts = starts_of(texts)
        edges = np.flatnonzero(np.diff(characters.are(LETTER), prepend=False, append=False))
        self.begin, self.end = edges[0::2].copy(), edges[1::2].copy()
        self._ascii = characters.ascii
        self._spelling = Spelling(self._ascii.tobytes().lower(), self.begin, self.end)
        counts = np.diff(np.searchsorted(self.begin, self.starts), append=len(self.begin))
        self._text = np.repeat(np.arange(len(texts)), counts)
        self._plain = np.ones(len(texts), np.bool_)
        self._plain[np.searchsorted(self.starts, characters.beyond, "right") - 1] = False

    def of(self, names: Strings, name: Longs) -> Longs:
        """The number of that word in every text, whose name is the one so numbered of some names;
        -1 where there is none."""
        words = self._spelling
        sought = Spelling(names.blob.lower(), names.offsets[:-1], names.offsets[1:])
        word = np.flatnonzero(words.head == sought.head[name][self._text])
        text = self._text[word]
        other = name[text]
        same = self._plain[text] & (words.length[word] <= _LONGEST)
        same &= words.length[word] == sought.length[other]
        same &= words.tail(word) == sought.tail(other)
        found = np.full(len(name), -1)
        found[text[same][::-1]] = word[same][::-1]  # the last one that is put there stays
        return found

    def begin_after(self, word: Longs, leads: Sequence[str]) -> Longs:
        """Where words begin; with the word before them where it is one of ``leads``, short words,
        and a single blank divides the two."""
        begin, before = self.begin[word], np.maximum(word - 1, 0)
        led = (self.end[before] == begin - 1) & (self._ascii[begin - 1] == _BLANK)
        led &= np.isin(self._spelling.head[before], [_number(lead) for lead in leads])
        return np.where(led, self.begin[before], begin)


def _number(word: str) -> np.uint64:
    """A word of up to eight bytes as they are compared."""
    return np.uint64(int.from_bytes(word.encode(), "little"))
