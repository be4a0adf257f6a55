"""Shared by the tests of readers that read plain files as columns, and others line by line."""

from unittest import mock

from hypothesis import strategies as st

from corefbench.errors import FormatError
from corefbench.findings import Finding, Strictness
from corefbench.formats.base import Format
from corefbench.formats.plain import NotPlain
from tests.unit.formats.roundtrip import contents, read


def outcome(form: Format, text: str, *, lenient: bool, words: bool) -> object:
    """The corpus and what was repaired, or what is wrong with the text."""
    heard: list[Finding] = []
    strictness = Strictness(lenient=lenient, report=heard.append)
    try:
        corpus = read(form, text, strictness=strictness, words=words)
    except FormatError as error:
        return error.code, error.message, error.place, error.found, heard
    return contents(corpus), heard


def assert_read_alike(form: Format, reader: str, text: str) -> None:
    """As columns and line by line it is the same; ``reader`` is the name of what reads columns."""
    for lenient, words in ((False, True), (True, False)):
        found = outcome(form, text, lenient=lenient, words=words)
        with mock.patch(reader, side_effect=NotPlain) as replaced:
            expected = outcome(form, text, lenient=lenient, words=words)
        assert replaced.called or isinstance(expected[0], str)  # type: ignore[index]
        assert found == expected


def read_as_columns(form: Format, reader: str, text: str) -> int:
    """How many blocks of a text are read as columns."""
    module, name = reader.rsplit(".", 1)
    plain = getattr(__import__(module, fromlist=[name]), name)
    made: list[object] = []
    with mock.patch(reader, side_effect=lambda *some: made.append(plain(*some)) or made[-1]):
        read(form, text)
    return len(made)


@st.composite
def damaged(draw: st.DrawFn, text: str, characters: str) -> str:
    """A text with a few changes: a character put in, left out or replaced, a line repeated."""
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text) - 1))
        new = draw(st.sampled_from(["", *characters]))
        kept = draw(st.sampled_from([0, 1]))
        text = text[:place] + new + text[place + kept :]
        if draw(st.integers(0, 9)) == 0:
            lines = text.split("\n")
            number = draw(st.integers(0, len(lines) - 1))
            text = "\n".join([*lines[:number], lines[number], *lines[number:]])
    return text
