"""Spans carried from one tokenisation to another."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from corefbench.preprocess.alignment import TokenAlignment


def offsets(lengths: list[int]) -> list[tuple[int, int]]:
    """Tokens of so many characters without space between them."""
    found, at = [], 0
    for length in lengths:
        found.append((at, at + length))
        at += length
    return found


def test_equal_tokens_keep_their_spans() -> None:
    tokens = offsets([3, 1, 4])
    assert TokenAlignment(tokens, list(tokens)).span((1, 3)) == (1, 3)


def test_a_span_takes_every_token_it_touches() -> None:
    assert TokenAlignment(offsets([5, 3]), offsets([2, 4, 2])).span((1, 2)) == (1, 3)


def test_what_no_token_touches_is_lost() -> None:
    assert TokenAlignment([(4, 6)], [(0, 2), (8, 9)]).span((0, 1)) is None


@given(st.lists(st.integers(1, 4), min_size=1, max_size=8), st.data())
def test_what_comes_back_covers_what_was_sent(lengths: list[int], data: st.DataObject) -> None:
    total = sum(lengths)
    cuts = sorted(data.draw(st.sets(st.integers(1, total), max_size=5)) | {0, total})
    others = [(a, b) for a, b in itertools.pairwise(cuts)]
    mine = offsets(lengths)
    start = data.draw(st.integers(0, len(mine) - 1))
    end = data.draw(st.integers(start + 1, len(mine)))
    there = TokenAlignment(mine, others).span((start, end))
    assert there is not None
    back = TokenAlignment(others, mine).span(there)
    assert back is not None
    assert back[0] <= start < end <= back[1]
