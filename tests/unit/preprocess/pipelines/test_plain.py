"""Words and sentences without syntax."""

import pytest

from corefbench.preprocess import make
from corefbench.preprocess.base import Input


def analysed(text, **given):
    return next(iter(make("en-words").analyse([Input(name="text", text=text, **given)])))


def sentences(text):
    found = analysed(text)
    return [" ".join(found.words[start:end]) for start, end in found.sentences]


def test_words_are_split_as_in_universal_dependencies():
    found = analysed("Mr. Poe's cat isn't well-known.")
    assert found.words == (
        "Mr.", "Poe", "'s", "cat", "is", "n't", "well", "-", "known", ".",
    )  # fmt: skip
    assert [found.text[begin:end] for begin, end in found.offsets] == list(found.words)


def test_sentences_end_at_marks_and_blank_lines_not_at_titles_or_wrapped_lines():
    text = "CHAPTER I\n\n“Who is\nMr. Poe?” she asked. He hid!\n\nThe End"
    assert sentences(text) == [
        "CHAPTER I", "“ Who is Mr. Poe ? ” she asked .", "He hid !", "The End",
    ]  # fmt: skip


def test_pronouns_are_known_and_nothing_is_governed():
    found = analysed("She saw him.")
    assert found.upos == ("PRON", "X", "PRON", "PUNCT")
    assert set(found.heads) == {-1}


def test_given_tokens_and_sentences_are_kept():
    given = {"offsets": ((0, 3), (3, 7)), "sentences": ((0, 1), (1, 2))}
    found = analysed("ab. cd.", **given)
    assert found.offsets == given["offsets"]
    assert found.sentences == given["sentences"]


@pytest.mark.parametrize("text", ["", " \n", "…", "a" * 2000])
def test_odd_texts_are_taken(text):
    found = analysed(text)
    assert [word for start, end in found.sentences for word in found.words[start:end]] == list(found.words)
