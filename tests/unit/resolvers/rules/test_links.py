"""Which names match: equal ones and parts of names, unless something says they are two."""

import pytest

from corefbench.resolvers.rules.kennedy_boguraev import KennedyBoguraev
from corefbench.resolvers.rules.lappin_leass import LappinLeass
from corefbench.resolvers.rules.links import Names, find_appositions, name_parts
from tests.one_line_trees import read
from tests.trees import discourse, phrase


def name(words: str, kind: str = "person") -> str:
    """A sentence that is one name: the last word its head, titles and first names before it."""
    split = words.split()
    rows = []
    for place, word in enumerate(split, start=1):
        last = place == len(split)
        relation = "root" if last else "compound"
        type_of = f" [{kind}]" if last and kind else ""
        rows.append(f"{word} {word} PROPN NNP {0 if last else len(split)} {relation}{type_of}")
    return "\n".join(rows)


def same(one: str, other: str, kinds: tuple[str, str] = ("person", "person")) -> bool:
    of = discourse(f"{name(one, kinds[0])}\n\n{name(other, kinds[1])}")
    first, second = of.phrases
    forth, back = Names(of).same(first, second), Names(of).same(second, first)
    assert forth == back == Names(of).same(first, second)
    assert [bool(earlier) for _, earlier in Names(of).matches()] == [False, forth]
    return forth


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "Ann"),
        ("Bill Clinton", "Clinton"),
        ("Bill Clinton", "Bill"),
        ("Mr. Clinton", "Bill Clinton"),
        ("Dr. Clinton", "Clinton"),
        ("B. Clinton", "Bill Clinton"),
        ("Bill J. Clinton", "Bill Clinton"),
        ("Martin Luther King", "Martin King"),
    ],
)
def test_names_of_one_person_match(one: str, other: str) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bill Clinton", "Hillary Clinton"),
        ("Mrs. Clinton", "Bill Clinton"),
        ("Mrs. Clinton", "Mr. Clinton"),
        ("Bill Jefferson Clinton", "Jefferson"),
        ("Bill Clinton", "Clinton Bill"),
        ("Ann", "Anna"),
    ],
)
def test_names_of_two_persons_do_not_match(one: str, other: str) -> None:
    assert not same(one, other)


def test_part_of_a_place_or_company_is_another() -> None:
    assert not same("New York Times", "New York", ("organization", "place"))
    assert not same("Ford Foundation", "Ford", ("organization", "organization"))
    assert not same("West Virginia", "Virginia", ("place", "place"))


def test_a_company_matches_without_its_legal_form() -> None:
    assert same("Acme Inc.", "Acme", ("organization", "organization"))


def test_a_person_and_a_company_of_one_name_are_two() -> None:
    assert not same("Ford", "Ford", ("person", "organization"))


def test_of_unknown_names_the_last_part_must_match() -> None:
    assert same("Zorblax Quixwit", "Quixwit", ("", ""))
    assert not same("Zorblax Quixwit", "Zorblax", ("", ""))


def test_what_is_no_name_never_matches() -> None:
    of = discourse("dog dog NOUN NN 0 root\n\ndog dog NOUN NN 0 root")
    assert not Names(of).same(*of.phrases)
    assert list(Names(of).matches()) == []


def test_possessors_and_descriptions_are_no_part_of_a_name() -> None:
    of = discourse(
        """
        Ann Ann PROPN NNP 4 nmod:poss
        's 's PART POS 1 case
        old old ADJ JJ 4 amod
        Bob Bob PROPN NNP 0 root [person]
        """
    )
    whole = next(phrase for phrase in of.phrases if phrase.head == 3)
    assert name_parts(of, whole) == ("bob",)


def test_the_name_goes_on_after_of() -> None:
    rows = """
        University University PROPN NNP 0 root [organization]
        of of ADP IN 3 case
        {town} {town} PROPN NNP 1 nmod [place]
    """
    of = discourse("\n\n".join(rows.format(town=town) for town in ("Chicago", "Oxford")))
    chicago, oxford = (phrase for phrase in of.phrases if of.analysis.words[phrase.head] == "University")
    assert name_parts(of, chicago) == ("university", "chicago")
    assert not Names(of).same(chicago, oxford)


SISTER = "His|PRP$|2|nmod:poss sister|NN|5|nsubj ,|,|4|punct Julia|NNP|2|appos|person left:leave|VBD|0|root"
LAWYER = "Julia|NNP|6|nsubj|person ,|,|4|punct a|DT|4|det lawyer|NN|1|appos ,|,|4|punct left:leave|VBD|0|root"
SHE = "She|PRP|2|nsubj slept:sleep|VBD|0|root"


def test_a_definite_phrase_or_name_renames() -> None:
    of = read(SISTER)
    assert find_appositions(of) == {phrase(of, "Julia").index: phrase(of, "His sister")}


def test_an_indefinite_phrase_says_what_somebody_is() -> None:
    assert find_appositions(read(LAWYER)) == {}


def test_what_disagrees_is_a_mistake_of_the_parser() -> None:
    assert find_appositions(read(SISTER.replace("Julia", "James"))) == {}


def test_salience_puts_both_into_one_class() -> None:
    of = read(f"{SISTER}\n{SHE}")
    names = {phrase(of, "His sister").index, phrase(of, "Julia").index}
    for resolver in (KennedyBoguraev, LappinLeass):
        assert any(names <= set(chain) for chain in resolver().resolve(of).chains())
        chains = resolver(appositions=False).resolve(of).chains()
        assert not any(names <= set(chain) for chain in chains)
