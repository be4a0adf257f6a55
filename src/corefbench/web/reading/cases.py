"""What may become of a mention, in words."""

from typing import Literal, TypeAlias

from corefbench.record import Record
from corefbench.runs.marks import SYMBOLS

Mark: TypeAlias = Literal["right", "wrong", "missed", "spurious", "uncounted", "alone"]

ERRORS: frozenset[Mark] = frozenset(("wrong", "missed", "spurious"))
SIGNS: dict[Mark, str] = {
    "right": SYMBOLS["right"],
    "wrong": SYMBOLS["wrong"],
    "missed": SYMBOLS["missed"],
    "spurious": SYMBOLS["spurious"],
    "uncounted": SYMBOLS["uncounted"],
    "alone": "–",
}
"""The marks of runs, and that of a pronoun which nobody links."""


class Case(Record, frozen=True):
    """One way to be right or wrong."""

    name: str
    mark: Mark
    words: str
    sign: str


def _case(name: str, mark: Mark, words: str) -> Case:
    return Case(name=name, mark=mark, words=words, sign=SIGNS[mark])


CASES: tuple[Case, ...] = (
    _case("first", "right", "begins a chain, as in the key"),
    _case("link", "right", "linked within its chain of the key"),
    _case("false-new", "wrong", "begins a chain, but the key has an antecedent"),
    _case("false-link", "wrong", "linked, but the key begins a chain here"),
    _case("wrong-link", "wrong", "linked outside its chain of the key"),
    _case("missed", "missed", "the response does not have it"),
    _case("spurious", "spurious", "the key does not have it"),
    _case("single", "spurious", "the key has it alone, which the profile does not count"),
    _case("uncounted", "uncounted", "the profile does not count it"),
    _case("alone", "alone", "neither key nor response links this pronoun"),
)
"""Errors of decision have the names that error analysis has for them."""
NUMBER: dict[str, int] = {case.name: number for number, case in enumerate(CASES)}
