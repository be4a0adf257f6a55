"""Nouns that tell the gender of whom they name."""

from functools import cache
from importlib.resources import files

from corefbench.language.agreement import ANIMATE, ANY_GENDER, FEMININE, MASCULINE

_GENDERS = {"m": MASCULINE, "f": FEMININE, "p": ANIMATE, "a": ANY_GENDER}


@cache
def _table() -> dict[str, int]:
    table: dict[str, int] = {}
    text = (files("corefbench.language") / "data" / "gendered-nouns.txt").read_text("utf-8")
    for line in text.splitlines():
        code, *nouns = line.split()
        table.update(dict.fromkeys(nouns, _GENDERS[code]))
    return table


def gender_of_noun(lemma: str) -> int:
    """The genders that a noun leaves open; 0 where it tells nothing.

    Nouns in *-woman* are feminine, in *-man* masculine, but for offices that either holds, such as
    *chairman* [Baldwin et al. 1995]; babies and animals may be *it*, *he* and *she*.

    >>> gender_of_noun("saleswoman") == FEMININE, gender_of_noun("fisherman") == MASCULINE
    (True, True)
    >>> gender_of_noun("chairman") == ANIMATE, gender_of_noun("baby") == ANY_GENDER
    (True, True)
    >>> gender_of_noun("table")
    0
    """
    lemma = lemma.lower()
    found = _table().get(lemma, 0)
    if found:
        return found
    for ending, gender in (("woman", FEMININE), ("women", FEMININE), ("man", MASCULINE)):
        if len(lemma) > len(ending) + 2 and lemma.endswith(ending):
            return gender
    return 0
