"""Tasks 1 and 3: the worked examples of the specification, and every way an answer may lead."""

from fractions import Fraction

import pytest

from corefbench.are.pronouns import score_found, score_listed
from tests.unit.are.keys import gold

NAMES = ("John", "he1", "his1", "he2", "Bill", "him1", "it1", "it2")
PLACES = {name: (2 * place, 2 * place + 1) for place, name in enumerate(NAMES)}
PRONOUNS = ("he1", "his1", "he2", "him1", "it1", "it2")
CHAINS = [["John", "he1", "his1", "he2"], ["Bill", "him1"], ["it1", "it2"]]


def listed(answers: dict[str, str], chains=CHAINS, pronouns=PRONOUNS):
    key = gold(PLACES, chains, pronouns)
    numbers = key.by_id
    return score_listed(key, {numbers[a]: numbers[b] for a, b in answers.items()})


def test_the_worked_example_of_task_1_is_two_and_a_half_of_six():
    answers = {"he1": "John", "his1": "he1", "he2": "him1", "him1": "John", "it2": "it1"}
    scored = listed(answers)
    assert (scored.hits, scored.key_total) == (2.5, 6)
    assert scored.score.recall == float(Fraction(5, 12))


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({}, 0),  # no answer
        ({"his1": "Bill"}, 0),  # another chain
        ({"his1": "his1"}, 0),  # itself
        ({"his1": "John"}, 1),  # a name of the chain
        ({"his1": "he2"}, 0.5),  # a pronoun after it, without an answer of its own
        ({"his1": "he1", "he1": "Bill"}, 0.5),  # the next step is wrong
        ({"he1": "his1", "his1": "he1"}, 1),  # a circle of two, half each
        ({"he1": "his1", "his1": "he2", "he2": "his1"}, 1.5),  # a way into a circle
        ({"he1": "his1", "his1": "he2", "he2": "John"}, 3),  # a long way to the name
        ({"he2": "him1", "him1": "Bill"}, 1),  # a wrong pronoun, rightly resolved
        ({"it2": "it1", "it1": "it2"}, 1),  # a chain that has no name
    ],
)
def test_an_answer_is_followed_to_a_name_of_the_chain(answers, expected):
    assert listed(answers).hits == expected


def test_a_pronoun_that_is_not_listed_is_a_pronoun_all_the_same():
    key = gold(PLACES, [["John", "he1", "his1"]], PRONOUNS, listed=("his1",))
    he, his, john = (key.by_id[name] for name in ("he1", "his1", "John"))
    assert score_listed(key, {his: he}).hits == 0.5
    assert score_listed(key, {his: he, he: john}).hits == 1


SPANS = {"NP": (0, 4), "p1": (6, 7), "p2": (8, 9), "Ann": (10, 11), "p3": (12, 13), "p4": (14, 15)}
RAW = gold(SPANS, [["NP", "p1", "p2"], ["Ann", "p3", "p4"]], ("p1", "p2", "p3", "p4"))


def test_the_worked_example_of_task_3_is_two_and_a_half_of_four_and_four():
    answers = {
        SPANS["p1"]: (0, 2),
        SPANS["p2"]: SPANS["p1"],
        SPANS["p3"]: SPANS["Ann"],
        (20, 21): SPANS["Ann"],
    }
    scored = score_found(RAW, answers)
    assert (scored.hits, scored.key_total, scored.response_total) == (2.5, 4, 4)
    assert (scored.score.precision, scored.score.recall, scored.score.f1) == (0.625, 0.625, 0.625)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"p1": (0, 4)}, 1),
        ({"p1": (3, 5)}, 0.25),
        ({"p1": (4, 5)}, 0),  # beside it
        ({"p1": (6, 7)}, 0),  # itself
        ({"p2": (6, 7)}, 0.5),  # the pronoun before, which leads no further
        ({"p2": (6, 7), "p1": (10, 11)}, 0.5),  # … or astray
        ({"p2": (6, 7), "p1": (3, 5)}, 1.25),  # any overlap is a step within the chain
        ({"p2": (6, 7), "p1": (8, 9)}, 1),  # a circle
        ({"p4": (12, 13), "p3": (14, 15), "p1": (0, 4)}, 2),
    ],
)
def test_an_answer_counts_by_its_overlap_and_by_where_it_leads(answers, expected):
    assert score_found(RAW, {SPANS[p]: a for p, a in answers.items()}).hits == expected


def test_an_answer_is_weighed_by_the_best_of_the_chains_mentions():
    key = gold({"a": (0, 4), "b": (2, 4), "p": (6, 7)}, [["a", "b", "p"]], ("p",))
    assert score_found(key, {(6, 7): (3, 4)}).hits == 0.5


def test_with_a_threshold_an_answer_is_right_or_wrong():
    answers = {SPANS["p1"]: (0, 2), SPANS["p3"]: (9, 12)}
    assert score_found(RAW, answers, "threshold").hits == 1
    assert score_found(RAW, answers).hits == pytest.approx(0.5 + 1 / 3)
