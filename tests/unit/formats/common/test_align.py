"""Carrying mentions over from a copy to its source."""

import random
import time

from hypothesis import given
from hypothesis import strategies as st

from corefbench.formats.common.align import align_tokens


def test_equal_texts_align_token_by_token() -> None:
    assert align_tokens(list("abcab"), list("abcab")) == [(i, i + 1) for i in range(5)]


def test_dropped_added_and_changed_words_are_passed_over() -> None:
    source = ["the", "old", "man", "sat", "by", "the", "sea", "and", "he", "slept", "well"]
    copy = ["the", "man", "sat", "near", "the", "wide", "sea", "and", "he", "slept"]
    places = align_tokens(copy, source)
    assert [source[a] if b > a else "" for a, b in places] == [
        "the", "man", "sat", "by", "the", "", "sea", "and", "he", "slept",
    ]  # fmt: skip


def test_another_tokenisation_is_seen_through() -> None:
    assert align_tokens(["do", "n't", "go"], ["don't", "go"]) == [(0, 1), (0, 1), (1, 2)]
    assert align_tokens(["don't", "go"], ["do", "n't", "go"]) == [(0, 2), (2, 3)]


def test_nothing_aligns_with_nothing() -> None:
    assert align_tokens([], ["a"]) == []
    assert align_tokens(["a"], []) == [(0, 0)]


@given(st.lists(st.sampled_from("abcd"), max_size=12), st.lists(st.sampled_from("abcd"), max_size=12))
def test_places_are_in_order_and_in_the_source(copy: list[str], source: list[str]) -> None:
    places = align_tokens(copy, source)
    assert len(places) == len(copy)
    assert all(0 <= a <= b <= len(source) for a, b in places)
    aligned = [place for place in places if place[1] > place[0]]
    assert aligned == sorted(aligned)


def test_a_long_text_takes_seconds_at_most() -> None:
    chance = random.Random(0)
    vocabulary = [f"w{n}" for n in range(3000)] + ["the"] * 500 + [","] * 400
    source = [chance.choice(vocabulary) for _ in range(40_000)]
    copy = [word for word in source if chance.random() > 0.03]
    begin = time.process_time()
    places = align_tokens(copy, source)
    assert time.process_time() - begin < 10
    right = sum(source[a] == word for word, (a, b) in zip(copy, places, strict=True) if b > a)
    assert right > 0.99 * len(copy)
