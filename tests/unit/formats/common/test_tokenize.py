"""Sentences and tokens of plain text."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.formats.common.tokenize import (
    is_tokenized,
    join_tokens,
    segment,
    segment_texts,
    split_at_blanks,
    tokenize,
)
from tests.data import data
from tests.reference import tokens as reference
from tests.unit.formats.text_corpora import WORDS

# Pieces of text at which the rule has something to decide.
PIECES = st.sampled_from(
    [*"aZ1é_ \t\n.,;:?!'’-\"()[]“”…—。\u0301\u0903\u3000\x1c", "Mr", "vs", "No", "Capt", " \n", " . ", "é "]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=30).map("".join), st.text(max_size=20))


def words(text: str, **options: object) -> list[list[str]]:
    return [[text[a:b] for a, b in row] for row in tokenize(text, **options)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("It's five o'clock.", ["It's", "five", "o'clock", "."]),
        ("a well-known 1,000.5 m", ["a", "well-known", "1,000.5", "m"]),
        ("wait... no -- yes", ["wait", "...", "no", "--", "yes"]),
        ("(“Oh!”)", ["(", "“", "Oh", "!", "”", ")"]),
        ("naïve café", ["naïve", "café"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),
        ("a@b.c", ["a", "@", "b", ".", "c"]),
        ("😀!", ["😀", "!"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_tokens_are_words_numbers_and_single_marks(text: str, tokens: list[str]) -> None:
    assert [word for row in words(text) for word in row] == tokens


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One. Two.", 2),
        ("Mr. Poe met J. Smith. They ran.", 2),
        ('He said "No!" Then he left.', 2),
        ("It cost 3.5 dollars. e.g. this", 1),
        ("A heading\n\nA text. More text.", 3),
        ("One line.\nAnother line.", 2),
        ("A long line that is wrapped\nin the middle. And\nanother that is wrapped\nthere.", 2),
        ("She asked: why? because", 1),
    ],
)
def test_sentences_end_where_they_should(text: str, count: int) -> None:
    assert len(words(text)) == count


def test_line_breaks_count_as_the_caller_says() -> None:
    text = "A title\nBy Ann\nin Rome"
    assert len(words(text, lines=True)) == 3
    assert len(words(text, lines=False)) == 1


@given(st.text(), st.lists(st.integers(0, 20)))
def test_tokens_cover_all_but_white_space_and_break_where_they_must(text: str, breaks: list[int]) -> None:
    tokens = [token for row in tokenize(text, breaks) for token in row]
    assert "".join(text[a:b] for a, b in tokens) == "".join(text.split())
    assert tokens == sorted(tokens)
    assert not any(a < edge < b for a, b in tokens for edge in breaks)


@given(st.lists(st.lists(WORDS, min_size=1, max_size=5), min_size=1, max_size=4))
def test_spaced_words_are_found_again(rows: list[list[str]]) -> None:
    text = join_tokens(rows)
    assert [[text[a:b] for a, b in row] for row in segment(text)] == rows


def test_a_word_with_white_space_or_without_anything_is_made_one_word() -> None:
    assert join_tokens([["New York", ""]]).split() == ["New_York", "_"]


def test_litbank_is_recognised_as_tokenised_and_has_its_tokens() -> None:
    texts = [p.read_text(encoding="utf-8") for p in data("litbank").glob("brat/*.txt")]
    assert len(texts) == 100
    assert all(map(is_tokenized, texts))
    assert sum(len(row) for text in texts for row in split_at_blanks(text)) == 210_532


@given(TEXTS, st.lists(st.integers(-1, 35), max_size=4), st.sampled_from([None, True, False]))
def test_an_independent_formulation_of_the_rules_finds_the_same(
    text: str, breaks: list[int], lines: bool | None
) -> None:
    assert tokenize(text, breaks, lines=lines) == reference.tokenise(text, breaks, lines)
    assert split_at_blanks(text, breaks) == reference.split_at_blanks(text, breaks)
    assert is_tokenized(text) == reference.is_tokenised(text)
    assert segment(text, breaks) == reference.segment(text, breaks)


@given(st.lists(TEXTS, min_size=1, max_size=4), st.lists(st.integers(0, 90), max_size=4))
def test_several_texts_are_segmented_as_each_alone(texts: list[str], breaks: list[int]) -> None:
    columns = segment_texts(texts, breaks)
    expected = []
    start = 0
    for text in texts:
        rows = segment(text, [edge - start for edge in breaks])
        expected += [[(a + start, b + start) for a, b in row] for row in rows]
        start += len(text) + 1
    spans = list(zip(columns.begin.tolist(), columns.end.tolist(), strict=True))
    edges = itertools.pairwise([*columns.first.tolist(), len(spans)])
    assert [spans[a:b] for a, b in edges] == expected
    assert columns.words == ["\n".join(texts)[a:b] for a, b in spans]
    assert (columns.offsets[0], columns.offsets[-1]) == (0, len(spans))
