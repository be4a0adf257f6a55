"""Overlap: the figures of the paper and of the specification, and which mentions are paired."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.tasks.are.overlap import align_spans, overlap, weigh_overlap

SPAN = st.tuples(st.integers(0, 8), st.integers(1, 5)).map(lambda pair: (pair[0], sum(pair)))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((0, 4), (0, 2), Fraction(1, 2)),  # the government of Zair, the government
        ((0, 4), (4, 6), Fraction(0)),  # elsewhere in the text, whatever its words
        ((26, 29), (26, 27), Fraction(1, 3)),  # Japan and Peru, Japan
        ((3, 6), (4, 9), Fraction(2, 5)),
        ((3, 6), (3, 6), Fraction(1)),
    ],
)
def test_the_overlap_is_the_common_words_over_those_of_the_longer(one, other, expected):
    assert overlap(one, other) == overlap(other, one) == float(expected)


def test_a_threshold_makes_of_a_half_a_whole_and_of_less_nothing():
    assert [weigh_overlap(amount, "threshold") for amount in (0.0, 0.49, 0.5, 1.0)] == [0, 0, 1, 1]
    assert [weigh_overlap(amount, "min") for amount in (0.0, 0.49, 0.5, 1.0)] == [0, 0.49, 0.5, 1]


def test_pairs_are_one_to_one_with_the_greatest_sum():
    # Greedily (0, 4) would take (0, 3) for ¾ and leave (0, 2) with nothing: ¾ in all.
    assert align_spans([(0, 4), (0, 2)], [(0, 3), (2, 4)]) == {0: (1, 0.5), 1: (0, 2 / 3)}


def test_of_equal_overlaps_the_earlier_key_mention_is_paired_then_the_shorter():
    assert align_spans([(0, 2), (1, 3)], [(1, 2)]) == {0: (0, 0.5)}
    assert align_spans([(1, 3), (0, 2)], [(1, 2)]) == {1: (0, 0.5)}
    assert align_spans([(0, 4), (0, 1)], [(0, 2)]) == {1: (0, 0.5)}
    assert align_spans([(0, 2)], [(0, 1), (1, 2)]) == {0: (0, 0.5)}


def test_the_same_spans_are_paired_first_and_in_their_order():
    assert align_spans([(0, 1), (0, 2)], [(0, 2), (1, 2)]) == {1: (0, 1.0)}
    assert align_spans([(0, 2), (0, 2)], [(0, 2), (0, 2)]) == {0: (0, 1.0), 1: (1, 1.0)}


def test_with_a_threshold_lesser_overlaps_are_never_paired():
    assert align_spans([(0, 3)], [(0, 1)], "threshold") == {}
    assert align_spans([(0, 4)], [(0, 2)], "threshold") == {0: (0, 1.0)}


@given(st.lists(SPAN, max_size=4), st.lists(SPAN, max_size=4))
def test_no_other_pairing_has_a_greater_sum(key, response):
    found = align_spans(key, response)
    assert len({other for other, _ in found.values()}) == len(found)
    places = [*range(len(response)), *([None] * len(key))]
    best = max(
        sum(overlap(key[k], response[p]) for k, p in enumerate(order) if p is not None)
        for order in permutations(places, len(key))
    )
    assert sum(worth for _, worth in found.values()) == pytest.approx(best)


@given(st.lists(SPAN, max_size=6), st.lists(SPAN, max_size=6))
def test_what_a_pair_counts_is_its_overlap_and_never_nothing(key, response):
    for number, (other, worth) in align_spans(key, response).items():
        assert worth == overlap(key[number], response[other]) > 0
