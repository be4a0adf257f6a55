"""Disjoint reference by function and precedence (Kennedy & Boguraev 1996, §2.2.3)."""

import pytest

from corefbench.resolvers.rules.precedence import Precedence
from tests.one_line_trees import read
from tests.trees import phrase


def condition(text: str, pronoun: str, other: str, *, literal: bool = False) -> str:
    found = read(text)
    order = Precedence(found, literal=literal)
    return order.condition(phrase(found, pronoun), phrase(found, other))


SAW = (
    "John|NNP|2|nsubj|person saw:see|VBD|0|root him|PRP|2|obj near|IN|5|case Bill|NNP|2|obl|person"
)


def test_condition_1_objects_that_follow_are_co_arguments() -> None:
    assert condition(SAW, "him", "Bill") == "co-arguments"


def test_condition_1_holds_backwards_unless_it_is_read_to_the_letter() -> None:
    assert condition(SAW, "him", "John") == "co-arguments"
    assert condition(SAW, "him", "John", literal=True) == ""


def test_condition_1_ends_at_the_next_subject() -> None:
    text = "He|PRP|2|nsubj said:say|VBD|0|root he|PRP|4|nsubj saw:see|VBD|2|ccomp them|PRP|4|obj"
    assert condition(text, "them", "He") == ""
    assert condition(text, "them", "he") == "co-arguments"


def test_condition_1_reaches_over_verbs_without_subject() -> None:
    # The limit of the method that "He took his coat and draped it" runs into.
    text = (
        "We|PRP|2|nsubj took:take|VBD|0|root coats:coat|NNS|2|obj and|CC|5|cc "
        "draped:drape|VBD|2|conj them|PRP|5|obj"
    )
    assert condition(text, "them", "coats") == "co-arguments"


def test_condition_1_is_not_for_reflexives() -> None:
    text = "John|NNP|2|nsubj|person saw:see|VBD|0|root himself|PRP|2|obj"
    assert condition(text, "himself", "John") == ""


def test_condition_2_a_free_pronoun_commands_the_nouns_after_it() -> None:
    text = "His|PRP$|2|nmod:poss wife|NN|3|nsubj|person saw:see|VBD|0|root John|NNP|3|obj|person"
    assert condition(text, "His", "John") == "command"


def test_condition_2_is_not_for_pronouns_in_adjuncts() -> None:
    text = (
        "In|IN|3|case his|PRP$|3|nmod:poss house|NN|6|obl ,|,|6|punct John|NNP|6|nsubj|person "
        "slept:sleep|VBD|0|root"
    )
    assert condition(text, "his", "John") == ""


def test_condition_3_a_free_referent_contains_what_is_embedded_after_it() -> None:
    text = (
        "The|DT|2|det booth|NN|7|nsubj that|WDT|5|obj Ann|NNP|5|nsubj|person "
        "filled:fill|VBD|2|acl:relcl it|PRP|5|obj fell:fall|VBD|0|root"
    )
    assert condition(text, "it", "The booth that Ann filled it") == "containment"
    assert condition(text, "it", "Ann") == "co-arguments"


def test_condition_3_ends_at_the_next_free_referent() -> None:
    text = (
        "Ann|NNP|2|nsubj|person gave:give|VBD|0|root Eve|NNP|2|iobj|person a|DT|5|det "
        "book|NN|2|obj that|WDT|8|nsubj quite|RB|8|advmod pleased:please|VBD|5|acl:relcl "
        "her|PRP|8|obj"
    )
    assert condition(text, "her", "Ann") == ""
    assert condition(text, "her", "Eve") == ""


def test_condition_3_a_possessive_is_not_what_it_modifies() -> None:
    text = "His|PRP$|2|nmod:poss wife|NN|3|nsubj|person slept:sleep|VBD|0|root"
    assert condition(text, "His", "His wife") == "containment"


@pytest.mark.parametrize("tree", [False, True])
def test_two_phrases_of_one_relative_clause_share_their_embedding(tree: bool) -> None:
    text = (
        "The|DT|2|det booth|NN|8|nsubj that|IN|5|mark Ann|NNP|5|nsubj|person "
        "sold:sell|VBD|2|acl:relcl her|PRP$|7|nmod:poss lamps:lamp|NNS|5|obj fell:fall|VBD|0|root"
    )
    found = read(text)
    order = Precedence(found, tree=tree)
    ann, her = phrase(found, "Ann"), phrase(found, "her")
    assert order.share_embedding(ann, her)
    assert not order.share_adjunct(ann, her)


@pytest.mark.parametrize("tree", [False, True])
def test_two_phrases_of_one_adverbial_share_their_adjunct(tree: bool) -> None:
    text = (
        "Seeing:see|VBG|7|advcl Ann|NNP|1|obj|person in|IN|5|case her|PRP$|5|nmod:poss "
        "car|NN|1|obl ,|,|7|punct left:leave|VBD|0|root Bill|NNP|7|nsubj|person"
    )
    found = read(text)
    order = Precedence(found, tree=tree)
    assert order.share_adjunct(phrase(found, "Ann"), phrase(found, "her"))
    assert not order.share_adjunct(phrase(found, "Ann"), phrase(found, "Bill"))
