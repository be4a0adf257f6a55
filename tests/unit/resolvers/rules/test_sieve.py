"""The passes of the sieve, one example each, and what each must not do."""

import pytest

from corefbench.errors import UsageError
from corefbench.resolvers import make
from tests.trees import discourse


def chains(text: str, resolver: str = "sieve") -> list[list[str]]:
    """The chains as texts of their mentions."""
    resolution = make(resolver).resolve(discourse(text))
    phrases = resolution.discourse.phrases
    return [[resolution.discourse.text_of(phrases[number]) for number in chain] for chain in resolution.chains()]


def rules(text: str) -> dict[str, str]:
    """What decided on each anaphor."""
    resolution = make("sieve").resolve(discourse(text))
    phrases = resolution.discourse.phrases
    return {
        resolution.discourse.text_of(phrases[d.anaphor]): d.rule
        for d in resolution.decisions
        if d.antecedent is not None
    }


LAMP = """
A a DET DT 2 det
lamp lamp NOUN NN 3 nsubj
broke break VERB VBD 0 root

The the DET DT 2 det
lamp lamp NOUN NN 3 nsubj
fell fall VERB VBD 0 root
"""

GREEN_AND_RED = """
The the DET DT 3 det
green green ADJ JJ 3 amod
lamp lamp NOUN NN 4 nsubj
broke break VERB VBD 0 root

The the DET DT 3 det
red red ADJ JJ 3 amod
lamp lamp NOUN NN 4 nsubj
fell fall VERB VBD 0 root
"""

TWO_LAMPS = """
A a DET DT 2 det
lamp lamp NOUN NN 3 nsubj
broke break VERB VBD 0 root

A a DET DT 2 det
lamp lamp NOUN NN 3 nsubj
fell fall VERB VBD 0 root
"""

OWNERS = """
My my PRON PRP$ 2 nmod:poss
hat hat NOUN NN 3 nsubj
fell fall VERB VBD 0 root

Your your PRON PRP$ 2 nmod:poss
hat hat NOUN NN 3 nsubj
burnt burn VERB VBD 0 root
"""

DOCTOR = """
Ann Ann PROPN NNP 6 nsubj [person]
, , PUNCT , 4 punct
a a DET DT 4 det
doctor doctor NOUN NN 1 appos
, , PUNCT , 4 punct
slept sleep VERB VBD 0 root
"""

NAMES = """
Mary Mary PROPN NNP 3 nsubj [person]
Smith Smith PROPN NNP 1 flat
slept sleep VERB VBD 0 root

Smith Smith PROPN NNP 2 nsubj [person]
dreamt dream VERB VBD 0 root
"""

QUOTED = """
“ “ PUNCT `` 3 punct
I I PRON PRP 3 nsubj
slept sleep VERB VBD 7 ccomp
, , PUNCT , 3 punct
” ” PUNCT '' 3 punct
Ann Ann PROPN NNP 7 nsubj [person]
said say VERB VBD 0 root
"""


def test_the_lamp_is_the_lamp_that_was_introduced() -> None:
    assert chains(LAMP) == [["A lamp", "The lamp"]]
    assert rules(LAMP) == {"The lamp": "strict head"}


def test_another_modifier_is_another_thing() -> None:
    assert chains(GREEN_AND_RED) == []


def test_what_is_introduced_twice_is_two_things() -> None:
    assert chains(TWO_LAMPS) == []


def test_hats_of_different_owners_are_different() -> None:
    assert not any("Your hat" in chain for chain in chains(OWNERS))


def test_an_apposition_corefers_with_its_neighbour() -> None:
    assert ["Ann", "a doctor"] in [[text.split(",")[0] for text in c] for c in chains(DOCTOR)]
    assert chains(DOCTOR, "sieve(appositions=false)") == []


def test_a_last_name_is_the_person_named_before() -> None:
    assert chains(NAMES) == [["Mary Smith", "Smith"]]
    assert rules(NAMES) == {"Smith": "name"}


def test_i_in_a_quotation_is_who_says_it() -> None:
    assert chains(QUOTED) == [["I", "Ann"]]
    assert rules(QUOTED) == {"I": "speaker"}


def test_singletons_are_mentions_if_asked_for() -> None:
    assert ["A lamp"] not in chains(TWO_LAMPS)
    assert chains(TWO_LAMPS, "sieve(singletons=true)") == [["A lamp"], ["A lamp"]]


def test_the_pronoun_pass_is_a_resolver_of_ones_choice() -> None:
    text = NAMES + "\nShe she PRON PRP 2 nsubj\nwoke wake VERB VBD 0 root\n"
    assert chains(text, "sieve(pronouns=most-recent)") == [["Mary Smith", "Smith", "She"]]
    with pytest.raises(UsageError, match="its own pronoun pass"):
        make("sieve(pronouns=sieve)")


@pytest.mark.parametrize("name", ["sieve", "same-head", "singletons", "all-in-one"])
def test_an_empty_text_has_no_chains(name: str) -> None:
    assert chains("", name) == []


def test_the_chain_baselines() -> None:
    assert chains(LAMP, "all-in-one") == [["A lamp", "The lamp"]]
    assert chains(LAMP, "singletons") == [["A lamp"], ["The lamp"]]
    assert chains(GREEN_AND_RED, "same-head") == [["The green lamp", "The red lamp"]]


def test_same_head_leaves_pronouns_alone_unless_asked() -> None:
    text = LAMP + "\nIt it PRON PRP 2 nsubj\nbroke break VERB VBD 0 root\n"
    text += "\nIt it PRON PRP 2 nsubj\nfell fall VERB VBD 0 root\n"
    assert ["It", "It"] not in chains(text, "same-head")
    assert ["It", "It"] in chains(text, "same-head(pronouns=true)")
