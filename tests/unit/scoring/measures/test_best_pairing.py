"""The best one-to-one pairing against trying every subset."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.scoring.measures import best_pairing as module
from corefbench.scoring.measures.best_pairing import best_pairing
from corefbench.scoring.measures.contingency import Contingency

Cells = dict[tuple[int, int], float]


def table(cells: Cells, documents: int = 1) -> Contingency:
    """A table in which chains are spread over documents by their number."""
    keys, responses = (1 + max((cell[side] for cell in cells), default=-1) for side in (0, 1))
    none, ones = np.zeros(0, np.int64), np.ones(len(cells), np.int64)
    return Contingency(
        documents=documents,
        key_size=np.ones(keys, np.int64),
        key_document=np.arange(keys, dtype=np.int32) % documents,
        key_twinless=none,
        response_size=np.ones(responses, np.int64),
        response_document=np.arange(responses, dtype=np.int32) % documents,
        response_twinless=none,
        key=np.array([k for k, _ in cells], np.int64),
        response=np.array([r for _, r in cells], np.int64),
        count=ones,
        indexed=ones,
        key_count=ones,
        key_indexed=ones,
    )


def best(cells: Cells) -> float:
    """By dynamic programming over the response chains that are taken."""
    states = {0: 0.0}
    for key in sorted({k for k, _ in cells}):
        after = dict(states)
        for (k, r), weight in cells.items():
            if k == key:
                for taken, total in states.items():
                    if not taken >> r & 1:
                        state = taken | 1 << r
                        after[state] = max(after.get(state, 0.0), total + weight)
        states = after
    return max(states.values())


_CELLS = st.dictionaries(
    st.tuples(st.integers(0, 6), st.integers(0, 6)),
    st.integers(1, 9).map(float) | st.fractions(0, 1).filter(bool).map(float),
    max_size=25,
)


@given(_CELLS)
def test_the_sum_is_that_of_trying_every_subset(cells: Cells) -> None:
    found = best_pairing(table(cells), np.array(list(cells.values())))
    assert found.tolist() == pytest.approx([best(cells)], abs=1e-9)


@given(_CELLS)
def test_without_peeling_the_solver_gives_the_same(cells: Cells) -> None:
    weight = np.array(list(cells.values()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_ROUNDS", 0)
        unpeeled = best_pairing(table(cells), weight)
    assert unpeeled.tolist() == pytest.approx([best(cells)], abs=1e-9)


@given(_CELLS)
def test_documents_are_paired_for_themselves(cells: Cells) -> None:
    inside = {cell: weight for cell, weight in cells.items() if cell[0] % 2 == cell[1] % 2}
    found = best_pairing(table(inside, documents=2), np.array(list(inside.values())))
    halves = [{c: w for c, w in inside.items() if c[0] % 2 == d} for d in (0, 1)]
    assert found.tolist() == pytest.approx([best(half) for half in halves], abs=1e-9)


def test_a_long_path_of_chains_is_paired_in_the_end() -> None:
    """Longer than the rounds of peeling: the rest goes to the solver."""
    length = 1_000
    cells = {(i, i): 2.0 for i in range(length)} | {(i + 1, i): 1.5 for i in range(length)}
    found = best_pairing(table(cells), np.array(list(cells.values())))
    assert found.tolist() == [2.0 * length]


def test_nothing_to_pair_is_zero() -> None:
    assert best_pairing(table({}), np.zeros(0)).tolist() == [0.0]
