import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefbench as cb
from corefbench.corpus.hashing import digest_documents
from corefbench.corpus.strings import Strings
from tests.conll import conll


def digest_words(words: list[str]) -> int:
    return int(digest_documents(Strings.of(words), np.array([0, len(words)]))[0])


_WORD = st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=20)


@given(st.lists(_WORD, min_size=1, max_size=8))
def test_the_reader_and_the_builder_make_the_same_digest(words: list[str]) -> None:
    corpus = cb.load(conll(*["(1)"] * len(words), words=words), words=False)
    assert corpus.tokens.digests.tolist() == [digest_words(words)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["a", "b"], ["b", "a"]),
        (["ab"], ["a", "b"]),
        (["a"], ["a", ""]),
        (["abcdefgh", "x"], ["abcdefghx"]),
        (["abcdefghi"], ["iabcdefgh"]),
    ],
)
def test_other_words_have_another_digest(one: list[str], other: list[str]) -> None:
    if one == ["a"]:  # an empty word adds nothing; the number of tokens tells these apart
        assert digest_words(one) == digest_words(other)
    else:
        assert digest_words(one) != digest_words(other)


def test_no_words_have_digest_zero() -> None:
    assert digest_words([]) == 0
