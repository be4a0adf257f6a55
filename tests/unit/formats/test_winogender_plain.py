"""Winogender's sentences, searched all at once, have the mentions they have one by one."""

from collections.abc import Sequence
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.formats.winogender import SENTENCES, TEMPLATES, Winogender
from corefbench.formats.winogender_mentions import PRONOUNS, find_mentions
from corefbench.formats.winogender_plain import find_plain
from corefbench.formats.winogender_read import Sentences
from tests.data import data
from tests.unit.formats.both_ways import damaged, outcome
from tests.unit.formats.roundtrip import read

FORM = Winogender()
NO_WORDS = ["taxi driver", "dry-cleaner", "bäcker", "otorhinolaryngologist"]
PEOPLE = ["baker", "Guest", "someone", "he", "the", "a", "her_", *NO_WORDS]
MARKS = [" ", " ", "  ", ", ", ".", "-", "_", "s", "\u2003", "ſhe", "her"]
SAMPLE = f"""{SENTENCES}
baker.guest.0.female.txt\tA guest thanked the baker because she had smiled.
cook.someone.1.neutral.txt\tSomeone told a cook: The cook is here. Their food was cold.
taxi driver.child.1.male\tThe taxi driver saw the child; He waved to him.
technician.customer.0.male.txt\tThe technician told the customer that he was done.
"""
PATTERNS = f"""{TEMPLATES}
baker\tguest\t0\tA $PARTICIPANT thanked the $OCCUPATION because $NOM_PRONOUN was kind.
cook\tchild\t1\tThe $OCCUPATION met a $PARTICIPANT with $POSS_PRONOUN dog.
"""


def assert_read_alike(text: str) -> None:
    """All at once and one by one, and two at once: the same corpus and repairs, or error."""
    few = mock.patch("corefbench.formats.winogender._MANY", 2)
    one_by_one = mock.patch("corefbench.formats.winogender_read.find_plain", side_effect=_nothing)
    for lenient, words in ((False, True), (True, False)):
        found = outcome(FORM, text, lenient=lenient, words=words)
        with few:
            assert outcome(FORM, text, lenient=lenient, words=words) == found
        with one_by_one as replaced:
            expected = outcome(FORM, text, lenient=lenient, words=words)
        assert replaced.called or isinstance(expected[0], str)  # type: ignore[index]
        assert found == expected


def _nothing(texts: Sequence[str], *_: Any) -> np.ndarray:
    return np.full((len(texts), 6), -1)


@pytest.mark.parametrize("text", [SAMPLE, PATTERNS, SAMPLE.replace("a", "A")])
def test_samples_are_read_alike(text: str) -> None:
    assert_read_alike(text)


def test_a_header_alone_is_no_document() -> None:
    assert len(read(FORM, f"{SENTENCES}\n")) == 0


@given(st.sampled_from([SAMPLE, PATTERNS]).flatmap(lambda text: damaged(text, "\n\t\r .aéThe_0")))
def test_damaged_files_are_read_alike(text: str) -> None:
    assert_read_alike(text)


PRONOUN = [form for forms in PRONOUNS.values() for form in forms.values()]
WORDS = [*PEOPLE, *PRONOUN, "The", "the", "an", "A", "lathe"]
TEXT = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(MARKS)), max_size=9).map(
    lambda pairs: "".join(word + mark for word, mark in pairs)
)
ROW = st.tuples(
    TEXT, st.sampled_from(PEOPLE), st.sampled_from(PEOPLE), st.sampled_from([*PRONOUNS, ""])
)


@given(st.lists(ROW, min_size=1, max_size=4))
def test_what_is_found_at_once_is_what_is_found_one_by_one(
    rows: list[tuple[str, str, str, str]],
) -> None:
    texts, *said = map(list, zip(*rows, strict=True))
    for row, edges in zip(rows, find_plain(texts, *said).tolist(), strict=True):
        assert edges == [-1] * 6 or tuple(edges) == find_mentions(*row)


def test_the_published_sentences_are_all_searched_at_once() -> None:
    path = data("pronouns") / "winogender" / "data" / "all_sentences.tsv"
    cells = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    rows = Sentences.of((0, name, text) for name, text in cells)
    edges = find_plain(rows.texts, rows.occupations, rows.participants, rows.genders)
    assert (len(edges), edges.min()) == (720, 0)
