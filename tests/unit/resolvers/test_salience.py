"""How salience is added up and fades."""

from corefbench.language.agreement import ANIMATE, ANY_GENDER, MASCULINE
from corefbench.resolvers.rules.salience import Classes, Coref
from tests.one_line_trees import read

WEIGHTS = {"recent": 100.0, "subject": 80.0}


def test_kennedy_and_boguraev_set_a_factor_anew() -> None:
    coref = Coref()
    coref.satisfy(("recent", "subject"), WEIGHTS, additive=False)
    coref.halve()
    coref.satisfy(("recent",), WEIGHTS, additive=False)
    assert coref.salience == 100 + 40


def test_lappin_and_leass_add_to_a_factor_once_per_sentence() -> None:
    coref = Coref()
    coref.satisfy(("recent", "subject"), WEIGHTS, additive=True)
    coref.satisfy(("recent",), WEIGHTS, additive=True)
    assert coref.salience == 180
    coref.halve()
    coref.satisfy(("recent",), WEIGHTS, additive=True)
    assert coref.salience == 150 + 40
    assert coref.shown() == (("recent", 150), ("subject", 40))


def test_a_class_that_faded_comes_back_with_a_new_member() -> None:
    phrases = read(
        "Ann|NNP|2|nsubj|person came:come|VBD|0|root\nAnn|NNP|2|nsubj|person left:leave|VBD|0|root"
    ).phrases
    classes = Classes(2, WEIGHTS, additive=False, threshold=60)
    coref = classes.add(phrases[0], ("recent",))
    classes.next_sentence()
    assert classes.salient(phrases[0]) is None
    classes.add(phrases[1], ("recent",), coref)
    assert classes.salient(phrases[0]) is coref


def test_a_forgotten_factor_is_gone_from_all_classes() -> None:
    phrases = read("Ann|NNP|2|nsubj|person came:come|VBD|0|root").phrases
    classes = Classes(1, WEIGHTS, additive=False, threshold=0)
    coref = classes.add(phrases[0], ("recent", "subject"))
    classes.forget("recent")
    assert coref.salience == 80


def test_the_gender_of_a_class_is_what_all_members_may_be() -> None:
    friend, he, she = read(
        "friend|NN|2|nsubj|person saw:see|VBD|0|root he|PRP|2|obj she|PRP|2|obj"
    ).phrases
    coref = Coref()
    assert coref.gender == ANY_GENDER
    coref.join(friend)
    assert coref.gender == ANIMATE
    coref.join(he)
    assert coref.gender == MASCULINE
    coref.join(she)
    assert coref.gender == MASCULINE
