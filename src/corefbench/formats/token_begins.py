"""Where the tokens of a text begin, for all of them at once."""

import numpy as np

from corefbench.formats.characters import DIGIT, JOINER, WORD, Characters
from corefbench.record import Flags, Longs

_POINT, _COMMA, _DASH = b".,-"


def token_begins(characters: Characters, written: Flags) -> Flags:
    """Where something is written and no token goes on: tokens are words with joiners between
    letters and points or commas between digits, runs of points or dashes, and single marks.

    >>> text = "it's 1.5--a."
    >>> np.flatnonzero(token_begins(Characters(text), np.array([c != " " for c in text]))).tolist()
    [0, 5, 8, 10, 11]
    """
    inside = characters.are(WORD)
    goes_on = np.zeros(len(inside), np.bool_)
    code, digit = characters.ascii, characters.are(DIGIT)
    joiner = characters.where(JOINER)
    point = np.flatnonzero((code == _POINT) | (code == _COMMA))
    # Marks between letters, and between digits; none of them makes another one inner.
    glued = np.concatenate((_between(inside, joiner), _between(digit, point)))
    inside[glued] = True
    goes_on[1:] = inside[1:] & inside[:-1]
    for marks, mark in ((joiner, _DASH), (point, _POINT)):
        run = marks[1:][np.diff(marks) == 1]
        goes_on[run] |= (code[run] == mark) & (code[run - 1] == mark)
    return written & ~goes_on


def _between(flags: Flags, places: Longs) -> Longs:
    """Those of the places that have flags on both sides."""
    inner = places[(places > 0) & (places < len(flags) - 1)]
    return inner[flags[inner - 1] & flags[inner + 1]]
