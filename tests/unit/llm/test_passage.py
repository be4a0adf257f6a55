from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.errors import UsageError
from corefbench.llm.passage import cut_windows, extract_answer, find_answer


@st.composite
def cuts(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]], int, int]:
    lengths = draw(st.lists(st.integers(1, 30), min_size=1, max_size=12))
    ends = [sum(lengths[: n + 1]) for n in range(len(lengths))]
    sentences = list(zip([0, *ends], ends, strict=False))
    size = draw(st.integers(1, 60))
    return ends[-1], sentences, size, draw(st.integers(0, size - 1))


@given(cuts())
def test_windows_cover_every_word_are_short_enough_and_go_on(case) -> None:
    length, sentences, size, overlap = case
    found = cut_windows(length, sentences, size, overlap)
    assert found[0][0] == 0
    assert found[-1][1] == length
    assert all(0 < end - start <= size for start, end in found)
    for (start, end), (following, last) in pairwise(found):
        assert start < following <= end < last
        assert end - following <= max(overlap, 0)


def test_a_document_that_fits_is_one_window() -> None:
    assert cut_windows(200, [(0, 100), (100, 200)], 200, 40) == [(0, 200)]
    assert cut_windows(0, [], 200, 40) == []


def test_a_window_ends_with_a_sentence_and_the_next_begins_with_one() -> None:
    sentences = [(0, 90), (90, 130), (130, 170), (170, 260)]
    assert cut_windows(260, sentences, 180, 50) == [(0, 170), (130, 260)]


@pytest.mark.parametrize(("size", "overlap"), [(10, 10), (-1, 0), (5, -2)])
def test_windows_that_would_not_go_on_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(UsageError, match="CB002"):
        cut_windows(100, [(0, 100)], size, overlap)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("the old dog", "the old dog"),
        ("The old dog.", "The old dog"),
        ('"the old dog"', "the old dog"),
        ("**the old dog**", "the old dog"),
        ("Answer: the old dog", "the old dog"),
        ("It refers to the old dog.", "the old dog"),
        ('The pronoun "it" refers to "the old dog".', "the old dog"),
        ("the old dog\n\nExplanation: it was sleeping.", "the old dog"),
        ("Mr. Adler's mother", "Mr. Adler's mother"),
        ("none", ""),
        ("None.", ""),
        ("", ""),
    ],
)
def test_the_words_of_an_answer_are_found_among_others(answer: str, expected: str) -> None:
    assert extract_answer(answer) == expected


TEXT = "The dog saw a cat . The cat saw it and the dog 's tail"
WORDS = TEXT.split()


@pytest.mark.parametrize(
    ("answer", "span"),
    [
        ("the dog", (0, 2)),
        ("the cat", (6, 8)),
        ("a dog", (1, 2)),
        ("The dog's tail", (11, 15)),
        ("a horse", None),
        ("it", None),
        ("do", None),
    ],
)
def test_the_antecedent_is_the_nearest_before_the_pronoun_else_after_it(answer, span) -> None:
    assert find_answer(WORDS, answer, 9, 0, len(WORDS)) == span
