"""What kind of character each of a text is, for all of them at once."""

import re
from typing import TypeAlias

import numpy as np

from corefbench.model.windows import Bytes
from corefbench.record import Flags, Longs

Kind: TypeAlias = int
SPACE, WORD, LETTER, DIGIT, JOINER, END, CLOSER, OPENER = (1 << bit for bit in range(8))

# Vowel signs and other marks belong to words, but Python's \w, here LETTER, leaves them out.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u0e31-\u0e3a\u0e47-\u0e4e\u200c\u200d\ufe00-\ufe0f"
)
_PATTERNS = {
    SPACE: re.compile(r"\s"),
    WORD: re.compile(rf"[\w{_MARKS}]"),
    LETTER: re.compile(r"\w"),
    DIGIT: re.compile(r"\d"),
    JOINER: re.compile(r"['’\-]"),
    END: re.compile(r"[.!?…。！？]"),
    CLOSER: re.compile(r"[\"'”’»)\]]"),
    OPENER: re.compile(r"[\"'“‘«(\[¿¡—-]"),
}
_LAST = 0x10FFFF


def _kind(character: str) -> Kind:
    return sum(kind for kind, pattern in _PATTERNS.items() if pattern.match(character))


_ASCII = bytes(_kind(chr(code)) for code in range(128)) + bytes(128)
_BLANKS = bytes(code for code in range(128) if _ASCII[code] & SPACE)
# Kinds by code point, filled in as characters are met: no text has more than a few hundred.
_kinds = np.zeros(_LAST + 1, np.uint8)
_met = np.zeros(_LAST + 1, np.bool_)


class Characters:
    """A text, character by character: ``kinds`` are sums of the constants above, ``ascii`` are the
    codes of the characters, 0 for those beyond ASCII.

    >>> characters = Characters("Où ?")
    >>> characters.are(WORD).tolist(), characters.ascii.tobytes()
    ([True, True, False, False], b'O\\x00 ?')
    """

    def __init__(self, text: str) -> None:
        self.text = text
        plain = text.encode("ascii", "replace")
        self.ascii: Bytes = np.frombuffer(plain, np.uint8)
        self.kinds: Bytes = np.frombuffer(plain.translate(_ASCII), np.uint8)
        self.beyond: Longs = np.zeros(0, np.int64)
        """Where characters beyond ASCII stand that are not white space …"""
        self.extra: Longs = self.beyond
        """… and how many bytes of UTF-8 each has beyond the first."""
        self._blanks: set[str] = set()
        if not text.isascii():
            self._look_beyond()

    def _look_beyond(self) -> None:
        codes = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.uint32)
        beyond = np.flatnonzero(codes >= 128)
        codes = codes[beyond]
        self.ascii, self.kinds = self.ascii.copy(), self.kinds.copy()
        self.ascii[beyond] = 0
        self.kinds[beyond] = kinds = _kinds_of(codes)
        written = kinds & SPACE == 0
        self._blanks = set(map(chr, codes[~written].tolist()))
        self.beyond, codes = beyond[written], codes[written]
        self.extra = 1 + (codes >= 0x800).astype(np.int64) + (codes >= 0x10000)

    def __len__(self) -> int:
        return len(self.kinds)

    def are(self, kind: Kind) -> Flags:
        """Which characters are of a kind, or of one of several added up."""
        return self.kinds & np.uint8(kind) > 0

    def where(self, kind: Kind) -> Longs:
        """Where the characters of a kind stand."""
        return np.flatnonzero(self.are(kind))  # of flags, which is faster than of numbers

    def without_blanks(self) -> bytes:
        """The text in UTF-8, its white space taken out."""
        data = self.text.encode().translate(None, _BLANKS)
        for blank in self._blanks:
            data = data.replace(blank.encode(), b"")
        return data


def _kinds_of(codes: np.ndarray) -> Bytes:
    for code in np.unique(codes[~_met[codes]]).tolist():
        _kinds[code], _met[code] = _kind(chr(code)), True
    kinds: Bytes = _kinds[codes]
    return kinds
