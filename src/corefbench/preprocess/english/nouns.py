"""Animacy and gender of English nouns.

Animacy is the share of a noun's senses in WordNet 3.0 that are persons, animals or groups. The
table is made by ``recipes/knowledge/animacy.py``; the licence of WordNet is beside it.
"""

import gzip
from functools import cache
from importlib.resources import files

from corefbench.preprocess.english.agreement import ANIMATE, ANY_GENDER, FEMININE, MASCULINE

_UNKNOWN_NOUN = (0, 0, 0)
_NOUN_GENDERS = {"m": MASCULINE, "f": FEMININE, "p": ANIMATE, "a": ANY_GENDER}


@cache
def _load_animacy() -> dict[str, tuple[int, int, int]]:
    table: dict[str, tuple[int, int, int]] = {}
    packed = (files("corefbench.preprocess.english") / "data" / "animacy.txt.gz").read_bytes()
    for line in gzip.decompress(packed).decode().splitlines():
        animacy, person, group, *nouns = line.split(" ")
        table.update(dict.fromkeys(nouns, (int(animacy), int(person), int(group))))
    return table


def animacy_share(lemma: str) -> float | None:
    """Return the share of persons and animals in a noun's use, 0 to 1; None if unknown.

    >>> [animacy_share(noun) for noun in ("waiter", "president", "printer", "xyzzy")]
    [1.0, 0.96, 0.33, None]
    """
    row = _load_animacy().get(lemma.lower())
    return row[0] / 100 if row else None


def person_share(lemma: str) -> float:
    """Return the share of persons in a noun's use, 0 to 1; 0 if unknown.

    >>> person_share("waiter"), person_share("crab"), animacy_share("crab")
    (1.0, 0.22, 0.67)
    """
    return _load_animacy().get(lemma.lower(), _UNKNOWN_NOUN)[1] / 100


def group_share(lemma: str) -> float:
    """Return the share of groups in a noun's use, 0 to 1; 0 if unknown.

    >>> group_share("orchestra"), group_share("violin")
    (0.88, 0.0)
    """
    return _load_animacy().get(lemma.lower(), _UNKNOWN_NOUN)[2] / 100


@cache
def _load_gendered_nouns() -> dict[str, int]:
    table: dict[str, int] = {}
    text = (files("corefbench.preprocess.english") / "data" / "gendered-nouns.txt").read_text("utf-8")
    for line in text.splitlines():
        code, *nouns = line.split()
        table.update(dict.fromkeys(nouns, _NOUN_GENDERS[code]))
    return table


def gender_of_noun(lemma: str) -> int:
    """Return the genders that a noun leaves open; 0 if it is not informative.

    Nouns in *-woman* are feminine, in *-man* masculine, except for offices that anybody may hold,
    such as *chairman* (Baldwin et al. 1995); babies and animals may be *it*, *he* and *she*.

    >>> gender_of_noun("saleswoman") == FEMININE, gender_of_noun("fisherman") == MASCULINE
    (True, True)
    >>> gender_of_noun("chairman") == ANIMATE, gender_of_noun("baby") == ANY_GENDER
    (True, True)
    >>> gender_of_noun("table")
    0
    """
    lemma = lemma.lower()
    known = _load_gendered_nouns().get(lemma, 0)
    if known:
        return known
    for ending, gender in (("woman", FEMININE), ("women", FEMININE), ("man", MASCULINE)):
        if len(lemma) > len(ending) + 2 and lemma.endswith(ending):
            return gender
    return 0
