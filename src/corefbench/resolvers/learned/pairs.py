"""Pairs of mentions within a window of sentences, and their fourteen features.

Each feature is a column of small numbers, the places of its values in ``VALUES``; the words of the
first two are numbered by a vocabulary that training makes.
"""

from collections.abc import Mapping

import numpy as np

from corefbench.record import Columns, Ints
from corefbench.resolvers.learned.mentions import MentionTable

WINDOW = 3
"""Sentences between a mention and what it is paired with, at most."""
LONGEST_WINDOW = 31
AGREEMENT = 10
"""The column that says whether the two agree in number."""

_YES_NO = ("N", "Y")
_SAME = ("I", "C")
_OPEN = ("I", "C", "NA")
VALUES: dict[str, tuple[str, ...]] = {
    "antecedent": (),
    "mention": (),
    "antecedent is a pronoun": _YES_NO,
    "number of the mention": ("S", "P", "NA"),
    "mention is a pronoun": _YES_NO,
    "same string": _SAME,
    "one string inside the other": _SAME,
    "pronouns with the same string": _SAME,
    "no pronouns, same string": _SAME,
    "same pronoun but for case": _OPEN,
    "number agrees": _OPEN,
    "both pronouns": _OPEN,
    "both proper nouns": _OPEN,
    "sentences between": tuple(map(str, range(LONGEST_WINDOW + 1))),
}
"""The features of Zhekova & Kübler 2011 in their order: C compatible, I incompatible, NA open."""


class Pairs(Columns, frozen=True, eq=False):
    """For every mention, one pair with each mention before it in the window."""

    antecedent: Ints
    mention: Ints
    codes: Ints
    """Pairs × features."""


def pairs_of(table: MentionTable, words: Mapping[str, int], *, window: int = WINDOW) -> Pairs:
    """Pair the mentions of a document, in the order of the text."""
    antecedent, mention = _within(table.sentence, window)
    heads = np.array([words.get(head, -1) for head in table.heads], np.int32)
    _, strings = np.unique(np.array(table.strings, object), return_inverse=True)
    one, two = table.pronoun[antecedent], table.pronoun[mention]
    same = strings[antecedent] == strings[mention]
    columns = (
        heads[antecedent],
        heads[mention],
        one,
        table.number[mention],
        two,
        same,
        same | _inside(table.strings, antecedent, mention),
        one & two & same,
        ~one & ~two & same,
        np.where(one & two, same | _same_form(table.form, antecedent, mention), 2),
        _agreement(table.number[antecedent], table.number[mention]),
        _both(one, two),
        _both(table.proper[antecedent], table.proper[mention]),
        table.sentence[mention] - table.sentence[antecedent],
    )
    codes = np.stack([np.asarray(column, np.int32) for column in columns], axis=1)
    return Pairs(antecedent=antecedent, mention=mention, codes=codes)


def _within(sentence: Ints, window: int) -> tuple[Ints, Ints]:
    """The two sides of all pairs, the later mentions in order."""
    first = np.searchsorted(sentence, sentence - window)
    count = np.arange(len(sentence)) - first
    mention = np.repeat(np.arange(len(sentence), dtype=np.int32), count)
    begin = np.repeat(np.cumsum(count) - count, count)
    antecedent = np.repeat(first, count) + np.arange(len(mention)) - begin
    return antecedent.astype(np.int32), mention


def _inside(strings: tuple[str, ...], antecedent: Ints, mention: Ints) -> np.ndarray:
    pairs = zip(antecedent.tolist(), mention.tolist(), strict=True)
    found = ((a := strings[i]) in (b := strings[j]) or b in a for i, j in pairs)
    return np.fromiter(found, bool, len(mention))


def _same_form(form: Ints, antecedent: Ints, mention: Ints) -> np.ndarray:
    return np.asarray((form[antecedent] == form[mention]) & (form[mention] >= 0))


def _agreement(one: Ints, two: Ints) -> np.ndarray:
    return np.where((one == 2) | (two == 2), 2, one == two)


def _both(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """C where both are, I where neither is, else NA."""
    return np.where(one & two, 1, np.where(one | two, 2, 0))
