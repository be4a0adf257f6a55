"""Which phrases rename which, and that salience takes them for one."""

from corefbench.resolvers.rules.appositions import find_appositions
from corefbench.resolvers.rules.kennedy_boguraev import KennedyBoguraev
from corefbench.resolvers.rules.lappin_leass import LappinLeass
from tests.one_line_trees import read
from tests.trees import phrase

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
