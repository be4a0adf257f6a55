"""Plain text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.corpus.corpus import Corpus
from corefbench.errors import FormatError, UsageError
from corefbench.formats.text import Text
from tests.unit.formats.roundtrip import assert_stable, contents, read, written
from tests.unit.formats.text_corpora import corpora

FORM = Text()


def test_a_file_is_a_document_without_mentions() -> None:
    corpus = read(FORM, "A title\n\nAnn left. She ran.\n")
    assert corpus.documents.names == ("memory",)
    assert corpus[0].text == "A title\n\nAnn left. She ran.\n"
    assert corpus[0].sentences == [(0, 2), (2, 5), (5, 8)]
    assert len(corpus.mentions) == 0


def test_form_feeds_divide_documents() -> None:
    corpus = read(FORM, "Ann left.\fBob ran.")
    assert corpus.documents.names == ("memory-1", "memory-2")
    assert [document.words for document in corpus] == [["Ann", "left", "."], ["Bob", "ran", "."]]


def test_without_words_nothing_can_be_written() -> None:
    with pytest.raises(UsageError):
        written(FORM, read(FORM, "Ann", words=False))


@pytest.mark.parametrize(
    ("code", "content"),
    [
        ("CB102", b""),
        ("CB102", b" \n\t"),
        ("CB103", "Ann".encode("utf-16")),
        ("CB103", b"Ann\xff"),
        ("CB118", b"\x1f\x8b\x08broken"),
    ],
)
def test_what_cannot_be_read_is_refused(code: str, content: bytes) -> None:
    with pytest.raises(FormatError if code != "CB118" else Exception) as caught:
        read(FORM, content)
    assert caught.value.code == code  # type: ignore[attr-defined]


def test_it_is_never_guessed() -> None:
    assert FORM.recognises(b"Just a sentence.\n") == 0


@given(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\f"), min_size=1))
def test_any_text_is_kept_as_it_is(text: str) -> None:
    if text.strip() and not text.startswith("\ufeff"):
        corpus = read(FORM, text)
        assert corpus[0].text == text
        assert_stable(FORM, corpus)


@given(corpora(parts=False))
def test_words_and_sentences_are_read_again(corpus: Corpus) -> None:
    again = read(FORM, written(FORM, corpus))
    for column in ("tokens.words", "tokens.sentences", "tokens.offsets"):
        assert contents(again)[column] == contents(corpus)[column]
    assert_stable(FORM, again)
