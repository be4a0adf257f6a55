"""The first tokens of sentences, for several texts at once."""

import numpy as np

from corefbench.formats.characters import CLOSER, END, Characters
from corefbench.formats.sentence_ends import sentence_ends
from corefbench.record import Columns, Flags, Longs

_LINE = ord("\n")
_FINISHED = END | CLOSER


class Rows(Columns, frozen=True, eq=False):
    """The lines of texts, given the tokens: the text and the first token of each line."""

    text: Longs
    token: Longs
    """One more than there are lines: the last is the number of tokens."""
    opening: Flags
    """Which lines are the first of their text."""

    @property
    def filled(self) -> Flags:
        """Which lines have tokens."""
        return np.diff(self.token) > 0

    @classmethod
    def of(cls, characters: Characters, begin: Longs, starts: Longs) -> "Rows":
        """Find the lines: each text but the last ends in a line end."""
        line = np.append(0, np.flatnonzero(characters.ascii == _LINE) + 1)
        text = np.searchsorted(starts, line, "right") - 1
        token = np.append(np.searchsorted(begin, line), len(begin))
        return cls(text=text, token=token, opening=line == starts[text])


def first_tokens(
    characters: Characters,
    begin: Longs,
    finish: Longs,
    starts: Longs,
    tokenised: Flags,
    lines: bool | None,
) -> Longs:
    """The first token of every sentence; in the texts that are tokenised, of every line.

    ``begin`` and ``finish`` are where tokens, ``starts`` where texts begin and end. ``lines`` says
    whether lines are sentences in the other texts; left open, they are unless they look wrapped.
    """
    rows = Rows.of(characters, begin, starts)
    if lines is None:
        by_line = tokenised | ~_look_wrapped(rows, characters, finish, len(starts))
    else:
        by_line = tokenised | lines
    filled = rows.filled
    new = rows.opening | by_line[rows.text]
    new[1:] |= ~filled[:-1]  # after a blank line
    first = np.zeros(len(begin), np.bool_)
    first[rows.token[:-1][filled & new]] = True
    if not tokenised.all():
        ends = sentence_ends(characters, begin)
        ends = ends[~tokenised[np.searchsorted(starts, ends, "right") - 1]]
        following = np.searchsorted(begin, ends)
        first[following[following < len(begin)]] = True
    return np.flatnonzero(first)


def _look_wrapped(rows: Rows, characters: Characters, finish: Longs, texts: int) -> Flags:
    """In which texts most of the lines that another line follows end in the middle of a
    sentence."""
    filled = rows.filled
    followed = np.flatnonzero(filled[:-1] & filled[1:] & ~rows.opening[1:])
    last = finish[rows.token[followed + 1] - 1] - 1
    mark, text = characters.ascii[last], rows.text[followed]
    ended = (characters.kinds[last] & _FINISHED > 0) | (mark == ord(":")) | (mark == ord(";"))
    finished = np.bincount(text[ended], minlength=texts)
    return 2 * finished < np.bincount(text, minlength=texts)
