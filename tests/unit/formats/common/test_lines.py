"""Lines and columns of a block of bytes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corefbench.formats.common.lines import FieldCursor, Lines


def test_blank_and_comment_lines_are_told_apart() -> None:
    lines = Lines.of(b"#c\n\n \t\na\n")
    assert lines.blank.tolist() == [False, True, True, False]
    assert lines.comment.tolist() == [True, False, False, False]


def test_a_carriage_return_is_not_part_of_a_line() -> None:
    lines = Lines.of(b"ab\r\n\r\ncd\n")
    assert [lines.text(i) for i in range(3)] == ["ab", "", "cd"]
    assert lines.blank.tolist() == [False, True, False]


def test_the_last_line_needs_no_newline() -> None:
    assert Lines.of(b"a\nb").text(1) == "b"


def columns(text: bytes, count: int) -> list[list[str]]:
    lines = Lines.of(text)
    fields = FieldCursor(lines, np.flatnonzero(~lines.blank))
    taken = [fields.take() for _ in range(count)]
    rows = range(len(taken[0][0]))
    return [[lines.data[s[i] : e[i]].tobytes().decode() for s, e in taken] for i in rows]


def test_tabs_divide_columns_one_by_one() -> None:
    assert columns(b"a\t\tb c\n\tx\ty\n", 3) == [["a", "", "b c"], ["", "x", "y"]]


def test_runs_of_blanks_divide_columns_where_there_are_no_tabs() -> None:
    assert columns(b"a   b c\n  x y  z\n", 3) == [["a", "b", "c"], ["x", "y", "z"]]


def test_columns_that_a_line_does_not_have_are_empty() -> None:
    assert columns(b"a b c\nx\n", 3) == [["a", "b", "c"], ["x", "", ""]]


_WORD = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=12)
"""No control characters: those before the tab are taken for tabs."""


@given(st.lists(st.lists(_WORD, min_size=3, max_size=3), min_size=1, max_size=6))
def test_columns_are_those_of_split(rows: list[list[str]]) -> None:
    text = "\n".join("|" + "\t".join(row) for row in rows).encode()
    expected = [["|" + row[0], row[1], row[2]] for row in rows]
    assert columns(text, 3) == expected
