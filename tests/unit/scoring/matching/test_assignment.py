import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from corefbench.scoring.matching import assignment
from corefbench.scoring.matching.assignment import assign, assign_by_document, components, solve_small, solve_with_scipy

EDGES = st.dictionaries(st.tuples(st.integers(0, 7), st.integers(0, 7)), st.integers(0, 4), max_size=25)


def as_arrays(edges):
    rows = np.array([r for r, _ in edges], np.int64)
    columns = np.array([c for _, c in edges], np.int64)
    return rows, columns, np.array(list(edges.values()), np.float64)


def best_sum(edges):
    matrix = np.zeros((8, 8))
    for cell, weight in edges.items():
        matrix[cell] = weight
    return matrix[linear_sum_assignment(matrix, maximize=True)].sum()


def check(edges, rows, columns):
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    assert len(set(rows.tolist())) == len(set(columns.tolist())) == len(pairs)
    assert all(edges[pair] > 0 for pair in pairs)
    assert sum(edges[pair] for pair in pairs) == best_sum(edges)


@given(EDGES)
def test_the_sum_is_that_of_the_full_matrix(edges):
    check(edges, *assign(*as_arrays(edges)))


@given(EDGES)
def test_the_sparse_solver_finds_the_same_sum(edges):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "_use_matrix", lambda *_: False)
        check(edges, *assign(*as_arrays(edges)))


@given(EDGES)
def test_by_document_is_the_full_matrix_pair_for_pair(edges):
    matrix = np.zeros((8, 8))
    for cell, weight in edges.items():
        matrix[cell] = weight
    expected = {
        (r, c) for r, c in zip(*map(np.ndarray.tolist, linear_sum_assignment(-matrix)), strict=True) if matrix[r, c] > 0
    }
    one = np.zeros(8, np.int32)
    rows, columns = assign_by_document(one, one, *as_arrays(edges))
    assert set(zip(rows.tolist(), columns.tolist(), strict=True)) == expected


def test_documents_are_assigned_apart():
    documents = np.array([0, 0, 1, 1], np.int32)
    rows, columns = np.array([0, 0, 1, 2, 3, 3]), np.array([0, 1, 0, 2, 2, 3])
    weights = np.array([3.0, 2.0, 2.0, 1.0, 1.0, 0.5])
    rows, columns = assign_by_document(documents, documents, rows, columns, weights)
    assert set(zip(rows.tolist(), columns.tolist(), strict=True)) == {(0, 1), (1, 0), (2, 2), (3, 3)}


def test_ties_in_a_document_are_settled_by_its_own_matrix():
    """Rows or columns of other documents, though worth nothing, would settle some otherwise."""
    chance = np.random.default_rng(0)
    matrices = [chance.integers(0, 3, chance.integers(1, 5, 2)).astype(float) for _ in range(200)]
    row_documents = np.repeat(np.arange(200), [len(m) for m in matrices])
    column_documents = np.repeat(np.arange(200), [len(m.T) for m in matrices])
    rows, columns, weights, expected = [], [], [], set()
    top = left = 0
    for matrix in matrices:
        some = np.nonzero(matrix)
        rows, columns = [*rows, *(some[0] + top)], [*columns, *(some[1] + left)]
        weights += matrix[some].tolist()
        for r, c in zip(*linear_sum_assignment(matrix, maximize=True), strict=True):
            if matrix[r, c]:
                expected.add((top + r, left + c))
        top, left = top + matrix.shape[0], left + matrix.shape[1]
    edges = np.array(rows), np.array(columns), np.array(weights)
    found = assign_by_document(row_documents, column_documents, *edges)
    assert set(zip(*map(np.ndarray.tolist, found), strict=True)) == expected


@pytest.mark.parametrize(("cells", "filled"), [(6, True), (5, False)])
def test_a_document_too_large_for_a_matrix_is_assigned_by_components(monkeypatch, cells, filled):
    """The second of three documents has a matrix of 2 × 3 cells."""
    monkeypatch.setattr(assignment, "MATRIX_CELLS", cells)
    if filled:
        monkeypatch.setattr(assignment, "assign", None)
    monkeypatch.setattr(assignment, "_use_matrix", lambda *_: False)
    row_documents, column_documents = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 1, 2, 2])
    edges = np.array([2, 2, 3]), np.array([1, 2, 1]), np.array([3.0, 2.0, 2.0])
    rows, columns = assign_by_document(row_documents, column_documents, *edges)
    assert set(zip(rows.tolist(), columns.tolist(), strict=True)) == {(2, 2), (3, 1)}


def test_a_row_or_a_column_alone_takes_its_heaviest_pair_without_a_solver(monkeypatch):
    monkeypatch.setattr(assignment, "_solve", None)
    rows, columns = np.array([0, 0, 0, 1, 2, 3]), np.array([0, 1, 2, 3, 3, 3])
    rows, columns = assign(rows, columns, np.array([1.0, 2.0, 2.0, 5.0, 4.0, 5.0]))
    assert set(zip(rows.tolist(), columns.tolist(), strict=True)) == {(0, 1), (1, 3)}


@pytest.mark.parametrize(
    ("shape", "edges", "expected"),
    [
        ((1000, 250), 1, True),
        ((250_001, 1), 1, False),
        ((1, 250_001), 1, False),
        ((1000, 2000), 250_000, True),
        ((1000, 2000), 249_999, False),
    ],
)
def test_a_component_is_a_matrix_if_it_is_small_or_an_eighth_full(shape, edges, expected):
    assert assignment._use_matrix(shape, edges) is expected


@pytest.mark.parametrize("as_matrix", [True, False])
def test_a_component_is_solved_in_the_one_way_or_the_other(monkeypatch, as_matrix):
    monkeypatch.setattr(assignment, "_use_matrix", lambda *_: as_matrix)
    unused = "_solve_sparse" if as_matrix else "solve_small"
    monkeypatch.setattr(assignment, unused, None)
    rows, columns = assign(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3.0, 2.0, 2.0]))
    assert set(zip(rows.tolist(), columns.tolist(), strict=True)) == {(0, 1), (1, 0)}


def test_a_path_is_one_component():
    steps = np.arange(1000)
    rows, columns = np.append(steps, steps[:-1]), np.append(steps, steps[:-1] + 1)
    assert len(np.unique(components(rows, columns))) == 1


@pytest.mark.parametrize("kind", ["few values", "likenesses", "any"])
def test_small_matrices_are_solved_as_by_scipy_to_the_last_tie(kind):
    chance = np.random.default_rng(0)
    for _ in range(200):
        shape = chance.integers(1, 9, 2)
        matrix = chance.random(shape)
        if kind == "few values":
            matrix = chance.integers(0, 3, shape).astype(float)
        elif kind == "likenesses":  # of CEAFe: 2 |k∩r| / (|k| + |r|)
            matrix = 2 * chance.integers(0, 4, shape) / chance.integers(2, 9, shape)
        expected = linear_sum_assignment(matrix, maximize=True)
        for solve in (solve_small, solve_with_scipy):
            found = solve(matrix)
            assert [side.tolist() for side in found] == [side.tolist() for side in expected]


def test_scipy_is_imported_for_large_problems_only():
    code = (
        "import sys; import numpy as np; from corefbench.scoring.matching.assignment import solver;"
        "solver(400)(np.ones((20, 20))); assert 'scipy' not in sys.modules;"
        "solver(401)(np.ones((2, 2))); assert 'scipy' in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
