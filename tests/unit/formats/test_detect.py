"""Which format a file is in."""

import gzip

import pytest

import corefbench as cb
from corefbench.formats.load import detect_format
from corefbench.formats.source import Source
from tests.conll import conll


@pytest.mark.parametrize(
    "text",
    [
        conll("(1)", "-"),
        gzip.compress(conll("(1)", "-")),
        b"\xef\xbb\xbf" + conll("(1)", "-"),
        b"# begin document d\n0\tw\t(1)\n",
        b"#begin document(metadoc);\nmetadoc_1\t(0)\n",
        b"Ann (1)\nsaw -\nher (1)\n",
    ],
    ids=["2012", "gz", "BOM", "GUM", "two columns", "no header"],
)
def test_bracket_columns_are_recognised(text: bytes) -> None:
    assert detect_format(Source.of(text)).card.name == "conll"


@pytest.mark.parametrize("text", [b"", b"   \n\n"])
def test_an_empty_file_is_no_format(text: bytes) -> None:
    with pytest.raises(cb.FormatError) as error:
        detect_format(Source.of(text))
    assert error.value.code == "CB102"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("#begin document".encode("utf-16"), "UTF-16"),
        (b"PK\x03\x04rest", "zip"),
        (b"Just a sentence.\nAnd another one.\n", "Just a sentence"),
    ],
)
def test_what_is_not_recognised_is_said_with_what_was_found(text: bytes, found: str) -> None:
    with pytest.raises(cb.FormatError) as error:
        detect_format(Source.of(text))
    assert error.value.code == "CB101"
    assert found in error.value.found
    assert "conll" in error.value.expected


def test_a_named_format_is_not_guessed() -> None:
    with pytest.raises(cb.UsageError, match="did you mean conll"):
        cb.load(conll("(1)"), format="conl")
