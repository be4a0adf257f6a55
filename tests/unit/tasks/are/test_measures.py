"""Tasks 2 and 4: the worked example of the specification, and MUC as it is scored elsewhere."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.scoring.api import score_clusters
from corefbench.tasks.are.measures import score_task_1, score_task_2, score_task_3, score_task_4
from corefbench.tasks.are.overlap import WEIGHTINGS
from tests.properties.partitions import Pair, pairs
from tests.unit.tasks.are.keys import gold

NAMES = ("John", "he1", "his1", "he2", "Bill", "him1", "it1", "it2")
PLACES = {name: (2 * place, 2 * place + 1) for place, name in enumerate(NAMES)}
PRONOUNS = ("he1", "his1", "he2", "him1", "it1", "it2")
CHAINS = [["John", "he1", "his1", "he2"], ["Bill", "him1"], ["it1", "it2"]]


def listed(answers: dict[str, str], chains=CHAINS, pronouns=PRONOUNS):
    key = gold(PLACES, chains, pronouns)
    numbers = key.by_id
    return score_task_1(key, {numbers[a]: numbers[b] for a, b in answers.items()})


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
    assert score_task_1(key, {his: he}).hits == 0.5
    assert score_task_1(key, {his: he, he: john}).hits == 1


SPANS = {"NP": (0, 4), "p1": (6, 7), "p2": (8, 9), "Ann": (10, 11), "p3": (12, 13), "p4": (14, 15)}
RAW = gold(SPANS, [["NP", "p1", "p2"], ["Ann", "p3", "p4"]], ("p1", "p2", "p3", "p4"))


def test_the_worked_example_of_task_3_is_two_and_a_half_of_four_and_four():
    answers = {SPANS["p1"]: (0, 2), SPANS["p2"]: SPANS["p1"], SPANS["p3"]: SPANS["Ann"], (20, 21): SPANS["Ann"]}
    scored = score_task_3(RAW, answers)
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
    assert score_task_3(RAW, {SPANS[p]: a for p, a in answers.items()}).hits == expected


def test_an_answer_is_weighed_by_the_best_of_the_chains_mentions():
    key = gold({"a": (0, 4), "b": (2, 4), "p": (6, 7)}, [["a", "b", "p"]], ("p",))
    assert score_task_3(key, {(6, 7): (3, 4)}).hits == 0.5


def test_with_a_threshold_an_answer_is_right_or_wrong():
    answers = {SPANS["p1"]: (0, 2), SPANS["p3"]: (9, 12)}
    assert score_task_3(RAW, answers, "threshold").hits == 1
    assert score_task_3(RAW, answers).hits == pytest.approx(0.5 + 1 / 3)


CHAIN_PLACES = {name: (10 * place, 10 * place + 4) for place, name in enumerate("ABCDEFGH")}
KEY = gold({name: CHAIN_PLACES[name] for name in "ABCDEFG"}, ["ABC", "DEFG"])
RESPONSE = ["AB", "CD", "FGH"]


def raw(short: dict[str, int], weighting: str = "mean"):
    """The response, some of its mentions shorter than those of the key."""
    chains = [[(CHAIN_PLACES[m][0], CHAIN_PLACES[m][0] + short.get(m, 4)) for m in c] for c in RESPONSE]
    return score_task_4(KEY, chains, weighting)


def test_mentions_that_are_given_make_it_the_muc_of_vilain_et_al():
    numbers = {name: number for number, name in enumerate("ABCDEFG")}
    scored = score_task_2(KEY, [[numbers[m] for m in c if m != "H"] for c in RESPONSE])
    assert (scored.hits, scored.key_total, scored.response_total) == (2, 5, 3)


def test_the_worked_example_of_task_4():
    assert (raw({}).score.recall, raw({}).score.precision) == (2 / 5, 2 / 4)
    scored = raw({"B": 2, "G": 3}).score
    assert (scored.recall, scored.precision) == (float(Fraction(13, 40)), float(Fraction(13, 32)))
    assert scored.f1 == pytest.approx(float(Fraction(13, 36)), abs=1e-15)


def test_the_least_overlap_of_a_part_may_count_for_all_of_it():
    scored = raw({"B": 2, "G": 3}, "min")
    assert (scored.hits, scored.score.recall, scored.score.precision) == (1.25, 0.25, 0.3125)


def test_from_a_threshold_of_one_half_it_is_muc():
    assert raw({"B": 2, "G": 3}, "threshold").hits == raw({}).hits == 2
    assert raw({"B": 1, "G": 3}, "threshold").hits == 1


def test_singletons_have_no_links():
    key = gold({"A": (0, 1), "B": (2, 3)}, ["A", "B"])
    scored = score_task_4(key, [[(0, 1)], [(2, 3)]])
    assert (scored.hits, scored.key_total, scored.response_total) == (0, 0, 0)


@given(pairs(), st.sampled_from(WEIGHTINGS))
def test_with_exact_mentions_it_is_muc(pair: Pair, weighting: str):
    clusters, response = pair
    spans = [span for chain in clusters for span in chain]
    if not spans:
        return
    key = gold(
        {str(span): (span[0], span[1] + 1) for span in spans}, [[str(span) for span in chain] for chain in clusters]
    )
    found = score_task_4(key, [[(a, b + 1) for a, b in chain] for chain in response], weighting).score
    expected = score_clusters(clusters, response)["muc"]
    assert found.recall == pytest.approx(expected.recall)
    assert found.precision == pytest.approx(expected.precision)
