"""Whether texts have been tokenised: whether their marks stand apart from the words."""

import numpy as np

from corefbench.formats.characters import LETTER, Characters
from corefbench.record import Flags, Longs

_POINT = ord(".")
_MARK = np.isin(np.arange(128), list(b".,;:?!"))


def are_tokenised(characters: Characters, begin: Longs, finish: Longs, starts: Longs) -> Flags:
    """Which of several texts have been tokenised: marks stand apart from words, everywhere, or
    every line begins and ends with a blank.

    ``starts`` says where the texts begin, of which each but the last ends in a line end; ``begin``
    and ``finish`` where what stands between white space does.
    """
    mark = characters.ascii[finish - 1]
    single = finish - begin == 1
    apart = single & _MARK[mark]
    glued = ~single & _MARK[mark] & (characters.kinds[finish - 2] & LETTER > 0)
    # A point at the end of a word tells something only at the end of a text.
    last = np.searchsorted(begin, np.append(starts[1:], len(characters))) - 1
    final = np.zeros(len(begin), np.bool_)
    final[last[last >= 0]] = True
    glued &= final | (mark != _POINT)
    text = np.searchsorted(starts, begin, "right") - 1
    found = _any(text[apart], starts) & ~_any(text[glued], starts)
    for number in np.flatnonzero(~found).tolist():
        end = starts[number + 1] - 1 if number + 1 < len(starts) else len(characters)
        found[number] = _is_spaced(characters.text, int(starts[number]), int(end))
    return found


def _any(text: Longs, starts: Longs) -> Flags:
    """Which texts are among those given."""
    return np.bincount(text, minlength=len(starts)) > 0


def _is_spaced(text: str, begin: int, end: int) -> bool:
    """Whether every line that has words begins and ends with a blank."""
    some = False
    while begin < end:
        line = text[begin : (text.find("\n", begin, end) + 1 or end + 1) - 1]
        if line.strip():
            if not line[0] == line[-1] == " ":
                return False
            some = True
        begin += len(line) + 1
    return some
