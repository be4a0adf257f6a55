"""The first word of a text that is its name is the one that a pattern finds."""

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corefbench.formats.first_words import FirstWords
from corefbench.model.strings import Strings

LONG = ["abcdefghijklmnop", "abcdefgh-jklmnop", "pastrycookpastrycook"]
NAMES = ["cook", "Cook", "a", "cooking", "pastrycooks", "aaaaaaaaa", "aaaaaaaaaa", "7", "é", *LONG]
TEXTS = st.lists(st.sampled_from([*NAMES, " ", " ", "\t", "'", "s", "\u2003"])).map("".join)


@given(st.lists(st.tuples(TEXTS, st.sampled_from(NAMES)), max_size=5))
def test_the_first_word_is_found_in_every_plain_text(rows: list[tuple[str, str]]) -> None:
    texts, names = [text for text, _ in rows], [name for _, name in rows]
    words = FirstWords(texts)
    found = words.of(Strings.of(names), np.arange(len(rows))).tolist()
    for text, name, start, word in zip(texts, names, words.starts, found, strict=True):
        is_word = re.fullmatch(r"\w{1,16}", name, re.ASCII)
        is_plain = all(character.isascii() or character.isspace() for character in text)
        match = re.search(rf"\b{name}\b", text, re.IGNORECASE) if is_word and is_plain else None
        span = (words.begin[word] - start, words.end[word] - start) if word >= 0 else None
        assert span == (match.span() if match else None)


def test_a_word_begins_with_an_article_that_a_blank_divides_from_it() -> None:
    texts = ["the cook", "cook", "an  cook", "lathe cook", "A Cook", "the\tcook", "an-cook the"]
    words = FirstWords([*texts, "cook"])
    found = words.of(Strings.of(["cook"]), np.zeros(len(texts) + 1, np.int64))
    begin = words.begin_after(found, ["the", "an", "a"]) - words.starts
    assert begin.tolist() == [0, 0, 4, 6, 0, 4, 3, 0]
