"""Where persons and pronouns stand in many Winogender sentences, all searched at once."""

from collections.abc import Sequence

import numpy as np

from corefbench.formats.first_words import FirstWords
from corefbench.formats.winogender_mentions import PRONOUNS
from corefbench.model.strings import Strings
from corefbench.record import Longs

_ARTICLES = ("the", "an", "a")
_FORMS = Strings.of([form for forms in PRONOUNS.values() for form in forms.values()])
_CASES = 3
_GENDERS = {gender: _CASES * number for number, gender in enumerate(PRONOUNS)} | {"": 0}


def find_plain(
    texts: Sequence[str],
    occupations: Sequence[str],
    participants: Sequence[str],
    genders: Sequence[str],
) -> Longs:
    """What ``find_mentions`` finds in each of many texts, six places in a row; rows of -1 for texts
    that it must be asked about: those beyond ASCII, people of more than a word, and nobody there.

    >>> texts = ["The cook met a guest as he left.", "The cook met an old guest; he left."]
    >>> people = ["cook", "cook"], ["guest", "old guest"]
    >>> find_plain(texts, *people, ["male", "male"]).tolist()
    [[0, 8, 13, 20, 24, 26], [-1, -1, -1, -1, -1, -1]]
    """
    words = FirstWords(texts)
    every = np.arange(len(texts))
    people = [words.of(Strings.of(names), every) for names in (occupations, participants)]
    found = np.column_stack([*people, _pronouns(words, genders)])
    apart = found != np.roll(found, 1, axis=1)
    plain = np.flatnonzero(((found >= 0) & apart).all(axis=1))
    found = found[plain]
    places = np.repeat(words.begin[found], 2, axis=1)
    places[:, 0:4:2] = words.begin_after(found[:, :2], _ARTICLES)
    places[:, 1::2] = words.end[found]
    edges = np.full((len(texts), 6), -1)
    edges[plain] = places - words.starts[plain, None]
    return edges


def _pronouns(words: FirstWords, genders: Sequence[str]) -> Longs:
    """The first word of every text that is a pronoun of its gender, in any case; -1: none."""
    gender = np.fromiter(map(_GENDERS.__getitem__, genders), np.int64, len(genders))
    cases = np.column_stack([words.of(_FORMS, gender + case) for case in range(_CASES)])
    first: Longs = np.where(cases < 0, np.iinfo(np.int64).max, cases).min(axis=1)
    return np.where(cases.max(axis=1) < 0, -1, first)
