"""Nesting and crossing, by hand and against the definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corefbench.stats import count, figures, overlaps
from tests.unit.stats.corpora import ann_and_the_dog, corpus

SPANS = st.tuples(st.integers(0, 9), st.integers(1, 6)).map(lambda s: (s[0], s[0] + s[1]))


def test_depth_is_the_number_of_mentions_around():
    # Bob lies in the dog of Bob, His in His dog; the other eight are outermost.
    assert count(ann_and_the_dog()).overlaps.depths == {0: 8, 1: 2}


def test_three_mentions_in_one_another_have_depths_0_1_and_2():
    values = figures(count(corpus("a b c", mentions=[("1", 0, 3), ("2", 0, 2), ("3", 1, 2)])))
    assert (values["nested_mentions"], values["nesting_depth"]) == (2, 2)


def test_crossing_pairs_of_one_chain_and_of_two_are_told_apart():
    # 0–2 crosses 1–3 (chains 1 and 1) and 1–4 (chains 1 and 2); 1–3 lies within 1–4.
    values = figures(count(corpus("a b c d", mentions=[("1", 0, 2), ("1", 1, 3), ("2", 1, 4)])))
    assert values["crossing_pairs"] == 2
    assert values["crossing_pairs_same_chain"] == 1
    assert values["crossing_pairs_other_chain"] == 1


def test_neighbours_and_equal_spans_neither_cross_nor_nest():
    values = figures(count(corpus("a b c", mentions=[("1", 0, 1), ("2", 1, 2), ("3", 1, 2)])))
    assert (values["crossing_pairs"], values["nested_mentions"]) == (0, 0)


@given(st.lists(st.tuples(SPANS, st.integers(0, 2)), max_size=12), st.integers(1, 6))
def test_counting_in_portions_agrees_with_the_definition(mentions, portion):
    made = corpus("w " * 16, mentions=[(str(chain), a, b) for (a, b), chain in mentions])
    depths, same, other = [], 0, 0
    for (a, b), chain in mentions:
        around = [(c, d) for (c, d), _ in mentions if c <= a and b <= d and (c, d) != (a, b)]
        depths.append(len(around))
        crossed = [chain == its for (c, d), its in mentions if a < c < b < d]
        same, other = same + sum(crossed), other + len(crossed) - sum(crossed)
    before, overlaps._PAIRS_AT_ONCE = overlaps._PAIRS_AT_ONCE, portion
    try:
        found = overlaps.overlaps(made, made.mentions.chain)
    finally:
        overlaps._PAIRS_AT_ONCE = before
    assert found.depths == dict(zip(*np.unique(depths, return_counts=True), strict=True))
    assert (found.crossing_same_chain, found.crossing_other_chain) == (same, other)
