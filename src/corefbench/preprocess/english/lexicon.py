"""English first names, surnames, titles and nouns, with gender and animacy.

First names with the gender of their bearers, and surnames, are from the United States Census of
1990 (``recipes/knowledge/names.py``). Animacy is the share of a noun's senses in WordNet 3.0 that
are persons, animals or groups (``recipes/knowledge/animacy.py``; the licence of WordNet is beside
the table).
"""

import gzip
from functools import cache
from importlib.resources import files

from corefbench.preprocess.english.pronouns import ANIMATE, ANY_GENDER, FEMININE, MASCULINE
from corefbench.records import Record

_DATA = files("corefbench.preprocess.english") / "data"
_NAME_GENDERS = {"m": MASCULINE, "f": FEMININE, "b": ANIMATE}
_TITLES = {
    MASCULINE: """
        mr mister messrs sir lord duke count earl baron viscount marquis marquess prince king
        emperor tsar czar kaiser sultan sheikh shah caliph pharaoh father fr brother friar abbot
        pope uncle grandpa grandfather herr monsieur señor senor signor don master esq
    """,
    FEMININE: """
        mrs ms miss mistress madam madame ma'am mme mlle mademoiselle lady dame duchess countess
        baroness viscountess marchioness princess queen empress tsarina sister mother abbess aunt
        auntie grandma grandmother frau fräulein señora señorita senora signora signorina doña dona
    """,
    ANIMATE: """
        dr doctor prof professor president vice-president senator sen judge justice captain capt
        general gen colonel col major maj lieutenant lt sergeant sgt corporal private pvt admiral
        commander cmdr commodore officer marshal sheriff constable inspector detective agent
        governor gov mayor minister premier chancellor secretary ambassador representative rep
        congressman congresswoman councillor councilman chairman chairwoman chair chief ceo
        director attorney rev reverend pastor rabbi imam bishop archbishop cardinal canon deacon
        vicar saint st nurse coach comrade citizen cousin boss chef
    """,
}
_TITLE_GENDERS = {form: gender for gender, forms in _TITLES.items() for form in forms.split()}
# Titles of office leave the gender open, except where the form tells it.
_TITLE_GENDERS |= {"congressman": MASCULINE, "congresswoman": FEMININE, "councilman": MASCULINE}
_TITLE_GENDERS |= {"chairwoman": FEMININE}

_UNKNOWN_NOUN = (0, 0, 0)
_NOUN_GENDERS = {"m": MASCULINE, "f": FEMININE, "p": ANIMATE, "a": ANY_GENDER}


class FirstName(Record, frozen=True):
    """What is known of a first name."""

    gender: int
    is_surname: bool
    """Whether it is met more often as a surname: *Clark*."""
    is_rare: bool
    """Whether less than one in twenty thousand bears it."""
    is_word: bool
    """Whether it is also a place, a time or a group: *Georgia*, *April*."""


@cache
def _load_first_names() -> dict[str, FirstName]:
    table: dict[str, FirstName] = {}
    for line in (_DATA / "first-names.txt").read_text("utf-8").splitlines():
        code, *names = line.split(" ")
        row = FirstName(gender=_NAME_GENDERS[code[0]], is_surname="s" in code, is_rare="r" in code, is_word="w" in code)
        table.update(dict.fromkeys(names, row))
    return table


def lookup_first_name(word: str) -> FirstName | None:
    """Return the row of a first name in any case; None for other words.

    >>> lookup_first_name("Mary").gender == FEMININE, lookup_first_name("Clark").is_surname
    (True, True)
    """
    return _load_first_names().get(word.lower())


@cache
def _load_surnames() -> frozenset[str]:
    return frozenset(gzip.decompress((_DATA / "surnames.txt.gz").read_bytes()).decode().split(" "))


def is_surname(word: str) -> bool:
    """Whether a word is a surname and no place, time or group.

    >>> is_surname("Garrett"), is_surname("Paris")
    (True, False)
    """
    return word.lower() in _load_surnames()


def gender_of_title(word: str) -> int:
    """Return the genders that a title leaves open; 0 for other words.

    >>> gender_of_title("Mrs.") == FEMININE, gender_of_title("Dr") == ANIMATE
    (True, True)
    """
    return _TITLE_GENDERS.get(word.lower().rstrip("."), 0)


@cache
def _load_animacy() -> dict[str, tuple[int, int, int]]:
    table: dict[str, tuple[int, int, int]] = {}
    for line in gzip.decompress((_DATA / "animacy.txt.gz").read_bytes()).decode().splitlines():
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
    for line in (_DATA / "gendered-nouns.txt").read_text("utf-8").splitlines():
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
