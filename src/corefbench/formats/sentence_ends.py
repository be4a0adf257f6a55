"""Where sentences end within a line: at marks before white space and what can begin a sentence."""

import re

import numpy as np

from corefbench.formats.characters import CLOSER, END, OPENER, SPACE, Characters
from corefbench.record import Flags, Longs

_TITLE = re.compile(r"(?:\b[A-Z]|\b(?:Mr|Mrs|Ms|Dr|Prof|St|Gen|Col|Capt|Lt|Sgt|Rev|Hon|vs|No))$")
_LONGEST = 4
"""The characters of the longest title."""
_POINT, _LINE, _V, _S = b".\nvs"


def sentence_ends(characters: Characters, begin: Longs) -> Longs:
    """The places at which ``[.!?…]+`` with closing quotes and brackets stands before white space;
    not before a small letter, and not after a title or an initial. ``begin`` is where tokens begin.

    >>> sentence_ends(Characters('"No." Mr. Poe ran. He'), np.array([0, 1, 3, 4, 6, 8, 10, 14, 19]))
    array([ 5, 18])
    """
    kinds = characters.kinds
    last = characters.where(END | CLOSER)
    last = last[last + 1 < len(kinds)]
    last = last[kinds[last + 1] & SPACE > 0]
    mark = _before_closers(characters, last)
    there = (mark >= 0) & (kinds[mark] & END > 0)
    last, mark = last[there], mark[there]
    going_on = _before_small_letter(characters, last + 1, begin)
    last, mark = last[~going_on], mark[~going_on]
    return last[~_after_title(characters, last, mark)] + 1


def _before_closers(characters: Characters, last: Longs) -> Longs:
    """The last character up to each place that does not close a quote or bracket; -1: none."""
    closers = characters.where(CLOSER)
    run = np.flatnonzero(np.diff(closers, prepend=-2) > 1)  # the first of every run of closers
    of = np.searchsorted(closers[run], last, "right") - 1
    is_closer = characters.kinds[last] & CLOSER > 0
    return np.where(is_closer, closers[run][of] - 1, last) if len(run) else last


def _before_small_letter(characters: Characters, space: Longs, begin: Longs) -> Flags:
    """Whether the first character after white space and opening quotes is a small letter."""
    text, length = characters.text, len(characters)
    following = np.append(begin, length)[np.searchsorted(begin, space)]
    openers = characters.where(OPENER)
    run = np.flatnonzero(np.diff(openers, append=length + 1) > 1)  # the last of every run
    if len(run):
        ends = openers[run]
        of = np.minimum(np.searchsorted(ends, following), len(ends) - 1)
        opens = characters.kinds[np.minimum(following, length - 1)] & OPENER > 0
        following = np.where(opens & (following < length), ends[of] + 1, following)
    code = np.append(characters.ascii, 0)[following]
    small: Flags = (code >= ord("a")) & (code <= ord("z"))
    for which in np.flatnonzero(code == 0).tolist():  # beyond ASCII, or the end
        at = int(following[which])
        small[which] = text[at : at + 1].islower()
    return small


def _after_title(characters: Characters, last: Longs, mark: Longs) -> Flags:
    """Whether the mark is a single point, and a title or an initial stands before it."""
    code, kinds = characters.ascii, characters.kinds
    found: Flags = (code[last] == _POINT) & (last > 0) & (kinds[last - 1] & END == 0)
    # Most words before a point are no titles; this sees it without looking at them one by one.
    likely = (code[last - 1] == _LINE) | ((code[last - 1] == _S) & (code[last - 2] == _V))
    for back in range(1, _LONGEST + 1):
        letter = code[np.maximum(last - back, 0)]
        likely |= (letter >= ord("A")) & (letter <= ord("Z"))
    found &= likely
    for which in np.flatnonzero(found).tolist():
        at = int(mark[which])
        found[which] = _TITLE.search(characters.text, max(0, at - 5), at) is not None
    return found
