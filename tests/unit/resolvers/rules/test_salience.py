"""How salience is added up and fades."""

from time import process_time

import pytest

from corefbench.preprocess.discourse import MAX_AFTER, MAX_BEFORE, nearby_phrases
from corefbench.preprocess.english.pronouns import ANIMATE, ANY_GENDER, MASCULINE
from corefbench.resolvers import make
from corefbench.resolvers.rules.salience import CorefClass, CorefClasses
from tests.one_line_trees import read
from tests.trees import phrase

WEIGHTS = {"recent": 100.0, "subject": 80.0}


def test_kennedy_and_boguraev_set_a_factor_anew() -> None:
    coref = CorefClass()
    coref.satisfy(("recent", "subject"), WEIGHTS, additive=False)
    coref.halve()
    coref.satisfy(("recent",), WEIGHTS, additive=False)
    assert coref.salience == 100 + 40


def test_lappin_and_leass_add_to_a_factor_once_per_sentence() -> None:
    coref = CorefClass()
    coref.satisfy(("recent", "subject"), WEIGHTS, additive=True)
    coref.satisfy(("recent",), WEIGHTS, additive=True)
    assert coref.salience == 180
    coref.halve()
    coref.satisfy(("recent",), WEIGHTS, additive=True)
    assert coref.salience == 150 + 40
    assert coref.shown() == (("recent", 150), ("subject", 40))


def test_a_class_that_faded_comes_back_with_a_new_member() -> None:
    phrases = read("Ann|NNP|2|nsubj|person came:come|VBD|0|root\nAnn|NNP|2|nsubj|person left:leave|VBD|0|root").phrases
    classes = CorefClasses(2, WEIGHTS, additive=False, threshold=60)
    coref = classes.add(phrases[0], ("recent",))
    classes.next_sentence()
    assert classes.salient(phrases[0]) is None
    classes.add(phrases[1], ("recent",), coref)
    assert classes.salient(phrases[0]) is coref


def test_a_forgotten_factor_is_gone_from_all_classes() -> None:
    phrases = read("Ann|NNP|2|nsubj|person came:come|VBD|0|root").phrases
    classes = CorefClasses(1, WEIGHTS, additive=False, threshold=0)
    coref = classes.add(phrases[0], ("recent", "subject"))
    classes.forget("recent")
    assert coref.salience == 80


def test_the_gender_of_a_class_is_what_all_members_may_be() -> None:
    friend, he, she = read("friend|NN|2|nsubj|person saw:see|VBD|0|root he|PRP|2|obj she|PRP|2|obj").phrases
    coref = CorefClass()
    assert coref.gender == ANY_GENDER
    coref.join(friend)
    assert coref.gender == ANIMATE
    coref.join(he)
    assert coref.gender == MASCULINE
    coref.join(she)
    assert coref.gender == MASCULINE


def test_nearby_phrases_are_of_the_sentence_and_those_before_it() -> None:
    line = "Ann|NNP|2|nsubj|person saw:see|VBD|0|root him|PRP|2|obj"
    document = read("\n".join([line] * 4))
    him = phrase(document, "him", 2)
    assert [phrase.index for phrase in nearby_phrases(document, him)] == [4]
    assert [phrase.index for phrase in nearby_phrases(document, him, 1)] == [2, 3, 4]
    assert [phrase.index for phrase in nearby_phrases(document, him, 9)] == [0, 1, 2, 3, 4]


def test_nearby_phrases_are_limited_in_a_long_sentence() -> None:
    document = read("go|VB|0|root " + "it|PRP|1|obj " * 300)
    assert len(nearby_phrases(document, document.phrases[200])) == MAX_BEFORE + MAX_AFTER


@pytest.mark.parametrize("name", ["kennedy-boguraev", "lappin-leass"])
@pytest.mark.parametrize("word", ["she|PRP|1|obj", "herself|PRP|1|obj"])
def test_a_sentence_of_hundreds_of_pronouns_takes_linear_time(name: str, word: str) -> None:
    resolver = make(name)
    seconds = []
    for count in (200, 400):
        document = read("go|VB|0|root " + f"{word} " * count)
        begun = process_time()
        assert len(resolver.resolve(document).decisions) == count
        seconds.append(process_time() - begun)
    assert seconds[1] < 3 * seconds[0] + 0.5
