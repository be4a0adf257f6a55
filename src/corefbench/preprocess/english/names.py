"""English first names, surnames and titles.

First names with the gender of their bearers, and surnames, are from the United States Census of
1990; the tables are made by ``recipes/knowledge/names.py``.
"""

import gzip
from functools import cache
from importlib.resources import files

from corefbench.preprocess.english.agreement import ANIMATE, FEMININE, MASCULINE
from corefbench.records import Record

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
_TITLE_GENDERS |= {"congressman": MASCULINE, "congresswoman": FEMININE, "councilman": MASCULINE}
_TITLE_GENDERS |= {"chairwoman": FEMININE}


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
    text = (files("corefbench.preprocess.english") / "data" / "first-names.txt").read_text("utf-8")
    for line in text.splitlines():
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
    packed = (files("corefbench.preprocess.english") / "data" / "surnames.txt.gz").read_bytes()
    return frozenset(gzip.decompress(packed).decode().split(" "))


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
