"""First names and the gender of their bearers, from the United States Census of 1990.

The table is made by ``recipes/knowledge/first_names.py``.
"""

from functools import cache
from importlib.resources import files

from corefbench.language.agreement import ANIMATE, FEMININE, MASCULINE
from corefbench.record import Record

_GENDERS = {"m": MASCULINE, "f": FEMININE, "b": ANIMATE}


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
def _table() -> dict[str, FirstName]:
    table: dict[str, FirstName] = {}
    text = (files("corefbench.language") / "data" / "first-names.txt").read_text("utf-8")
    for line in text.splitlines():
        code, *names = line.split(" ")
        row = FirstName(
            gender=_GENDERS[code[0]],
            is_surname="s" in code,
            is_rare="r" in code,
            is_word="w" in code,
        )
        table.update(dict.fromkeys(names, row))
    return table


def first_name(word: str) -> FirstName | None:
    """The row of a first name in any case; None for words that are none.

    >>> first_name("Mary").gender == FEMININE, first_name("Clark").is_surname
    (True, True)
    """
    return _table().get(word.lower())
