"""Words cut as the guidelines of UD English say."""

import pytest

from corefbench.preprocess.english.tokenizer import tokenize


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("don't", "do n't"),
        ("DON'T", "DO N'T"),
        ("they’ll", "they ’ll"),
        ("cannot", "can not"),
        ("gonna,", "gon na ,"),
        ("John's", "John 's"),
        ("dogs'", "dogs '"),
        ("well-known", "well - known"),
        ("e-mail", "e-mail"),
        ("non-linear", "non-linear"),
        ("and/or", "and / or"),
        ("Mr. Smith", "Mr. Smith"),
        ("in the U.S.", "in the U.S."),
        ("J. Smith", "J. Smith"),
        ("It ended.", "It ended ."),
        ("(see below)", "( see below )"),
        ('"Stop!"', '" Stop ! "'),
        ("wait...", "wait ..."),
        ("$5.50", "$ 5.50"),
        ("1,000,000", "1,000,000"),
        ("50%", "50 %"),
        ("5pm", "5 pm"),
        ("1990-1995", "1990 - 1995"),
        ("555-1234", "555-1234"),
        ("http://example.org/a?b=c.", "http://example.org/a?b=c ."),
        ("me@example.org", "me@example.org"),
        ("yes--no", "yes -- no"),
        ("one,two", "one , two"),
        ("end.Next", "end . Next"),
        (":-)", ":-)"),
        ("👍🏽👍🏽", "👍🏽 👍🏽"),
        ("e\u0301te\u0301", "e\u0301te\u0301"),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_words_are_split_as_in_universal_dependencies(text, words):
    assert [text[begin:end] for begin, end in tokenize(text)] == words.split()


@pytest.mark.parametrize("text", ["a-" * 150, "'s" * 150, "((" * 150, "1,2" * 100, "…" * 300])
def test_every_character_is_in_one_word(text):
    spans = tokenize(text)
    assert "".join(text[begin:end] for begin, end in spans) == text
    assert all(begin < end for begin, end in spans)


def test_long_words_are_cut():
    assert max(end - begin for begin, end in tokenize("a " + "b" * 1000)) == 300
