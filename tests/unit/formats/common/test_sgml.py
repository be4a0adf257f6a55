"""The tolerant scanner: what is a tag, what is text, and that hostile text costs no more time."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.formats.common.sgml import (
    TextLocator,
    escape,
    escape_attribute,
    escape_blanks,
    format_attribute,
    scan_tags,
    unescape,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a < b > c", []),
        ("1 <2> 3", []),
        ("<a>", [("A", {})]),
        ("</a >", [("A", {})]),
        ("<a b>", [("A", {"b": ""})]),
        ("<a b=c/>", [("A", {"b": "c"})]),
        ("<a b=x/y.sgm>", [("A", {"b": "x/y.sgm"})]),
        ("<a b='\"' c=\"'\">", [("A", {"b": '"', "c": "'"})]),
        ('<a b="x > y">', [("A", {"b": "x > y"})]),
        ('<a b="1" b="2">', [("A", {"b": "1"})]),
        ('<a b=" &lt;\n">', [("A", {"b": "<"})]),
        ('<a b="1"c="2">', [("A", {"b": "1", "c": "2"})]),
        ('<a b="1>', [("A", {"b": "1"})]),
        ("<!-- <a> --><b>", [("!", {}), ("B", {})]),
        ("<!-- <a>", [("A", {})]),
        ("<!DOCTYPE x><?pi ?>", [("!", {}), ("!", {})]),
    ],
)
def test_tags_are_found_in_any_text(text, expected):
    assert [(tag.name, tag.attributes) for tag in scan_tags(text)] == expected


def test_names_of_attributes_are_compared_without_case():
    tag = next(scan_tags("<COREF Id=1>"))
    assert (tag.get("ID"), tag.get("REF"), tag.get("REF", "x")) == ("1", "", "x")


@given(st.text())
def test_text_and_values_come_back(text):
    assert unescape(escape(text)) == text
    assert unescape(escape_blanks(escape(text))) == text
    assert not list(scan_tags(escape(text)))
    assert next(scan_tags(f"<a{format_attribute('b', text)}>")).attributes == {"b": text}
    assert unescape(escape_attribute(text)) == text


@pytest.mark.parametrize("text", ["&#1114112;", "&#xD800;", "&#;", "&nbsp;", "&amp", "&#x85;x"])
def test_references_to_no_character_stay_as_they_are(text):
    assert unescape(text) == text.replace("&#x85;", "\x85")


def test_places_count_lines_and_columns_from_one():
    places = TextLocator("ab\ncd\n", "f")
    found = [(places.at(offset).line, places.at(offset).column) for offset in (0, 2, 3, 4, 6)]
    assert found == [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1)]


@pytest.mark.parametrize("piece", ["<!--", "<!", '<a b="', "<a b='", "<a " + " " * 50, "<", "&#", "<a b=c/", "</"])
def test_hostile_text_is_scanned_in_linear_time(piece):
    text = piece * (400_000 // len(piece))
    start = time.process_time()
    assert sum(1 for _ in scan_tags(text)) >= 0
    assert time.process_time() - start < 5
