"""Brackets from bytes to runs, and runs to mentions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.formats.common.brackets import Runs, find_runs, pair_brackets
from corefbench.formats.common.lines import Lines


def runs(*cells: str) -> Runs:
    lines = Lines.of("\n".join(cells).encode())
    return find_runs(lines.data, lines.start, lines.end)


@pytest.mark.parametrize(
    ("cell", "kinds", "labels"),
    [
        ("(12)", ["()"], [12]),
        ("(12", ["("], [12]),
        ("12)", [")"], [12]),
        ("12", [""], [12]),
        ("(12)|(3|(4", ["()", "(", "("], [12, 3, 4]),
        ("42)|42)", [")", ")"], [42, 42]),
        ("(1(2)", ["(", "()"], [1, 2]),
        ("3)2)(4", [")", ")", "("], [3, 2, 4]),
        ("(a-1)|b", ["()", ""], [b"a-1", b"b"]),
        ("(0)", ["()"], [0]),
        ("(007)", ["()"], [b"007"]),
    ],
)
def test_runs_of_one_cell(cell: str, kinds: list[str], labels: list[object]) -> None:
    found = runs(cell)
    brackets = zip(found.opens.tolist(), found.closes.tolist(), strict=True)
    assert ["(" * opens + ")" * closes for opens, closes in brackets] == kinds
    assert found.label.tolist() == labels
    assert not len(found.malformed)


@pytest.mark.parametrize("cell", ["()", "(", ")", "((1)", "(1))", "(|1)"])
def test_a_bracket_without_identifier_is_malformed(cell: str) -> None:
    assert runs("(1)", cell).malformed.tolist() == [1]


def test_a_run_does_not_reach_into_the_next_cell() -> None:
    found = runs("(1", "2)", "(3)")
    assert found.cell.tolist() == [0, 1, 2]
    assert found.label.tolist() == [1, 2, 3]


def paired(*cells: str) -> list[tuple[int, int]]:
    """First and last token of every mention of one chain."""
    found = runs(*cells)
    pairing = pair_brackets(found, found.cell, np.zeros(len(found.cell), np.int64))
    assert not len(pairing.unopened)
    assert not len(pairing.unclosed)
    return sorted(zip(found.cell[pairing.opening].tolist(), found.cell[pairing.closing].tolist(), strict=True))


@pytest.mark.parametrize(
    ("cells", "spans"),
    [
        (["(1", "1)"], [(0, 1)]),
        (["(1", "(1", "1)", "1)"], [(0, 3), (1, 2)]),
        # Openings come before closings, as in the reference scorer and in coval.
        (["(1", "1)|(1", "1)"], [(0, 2), (1, 1)]),
        (["(1", "(1|1)", "1)"], [(0, 2), (1, 1)]),
        (["1)|(1"], [(0, 0)]),
        (["(1", "1)|1)|(1|(1", "1)"], [(0, 2), (1, 1), (1, 1)]),
        (["(1|(1", "1)|1)"], [(0, 1), (0, 1)]),
        (["(1|(1)", "1)"], [(0, 0), (0, 1)]),
    ],
)
def test_a_closing_takes_the_innermost_mention_that_is_open(cells: list[str], spans: list[tuple[int, int]]) -> None:
    assert paired(*cells) == spans


@given(st.lists(st.sampled_from(["(1", "1)", "(1)"]), max_size=12))
def test_mentions_are_paired_as_on_a_stack(cells: list[str]) -> None:
    found = runs(*cells) if cells else None
    if found is None:
        return
    pairing = pair_brackets(found, found.cell, np.zeros(len(found.cell), np.int64))
    stack: list[int] = []
    expected, unopened = [], []
    for token, cell in enumerate(cells):
        if cell == "(1)":
            expected.append((token, token))
        elif cell == "(1":
            stack.append(token)
        elif stack:
            expected.append((stack.pop(), token))
        else:
            unopened.append(token)
    ends = zip(found.cell[pairing.opening], found.cell[pairing.closing], strict=True)
    assert sorted((int(a), int(b)) for a, b in ends) == sorted(expected)
    assert found.cell[pairing.unopened].tolist() == unopened
    assert found.cell[pairing.unclosed].tolist() == stack
