import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from corefbench.matching import assignment
from corefbench.matching.assignment import assign, assign_by_document, components

EDGES = st.dictionaries(
    st.tuples(st.integers(0, 7), st.integers(0, 7)), st.integers(0, 4), max_size=25
)


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
        (r, c)
        for r, c in zip(*map(np.ndarray.tolist, linear_sum_assignment(-matrix)), strict=True)
        if matrix[r, c] > 0
    }
    one = np.zeros(8, np.int32)
    rows, columns = assign_by_document(one, one, *as_arrays(edges))
    assert set(zip(rows.tolist(), columns.tolist(), strict=True)) == expected


def test_documents_are_assigned_apart():
    documents = np.array([0, 0, 1, 1], np.int32)
    rows, columns = np.array([0, 0, 1, 2, 3, 3]), np.array([0, 1, 0, 2, 2, 3])
    weights = np.array([3.0, 2.0, 2.0, 1.0, 1.0, 0.5])
    rows, columns = assign_by_document(documents, documents, rows, columns, weights)
    assert set(zip(rows.tolist(), columns.tolist(), strict=True)) == {
        (0, 1),
        (1, 0),
        (2, 2),
        (3, 3),
    }


def test_a_document_too_large_for_a_matrix_is_assigned_by_components(monkeypatch):
    monkeypatch.setattr(assignment, "MATRIX_CELLS", 3)
    one = np.zeros(2, np.int32)
    edges = np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3.0, 2.0, 2.0])
    rows, columns = assign_by_document(one, one, *edges)
    assert set(zip(rows.tolist(), columns.tolist(), strict=True)) == {(0, 1), (1, 0)}


def test_a_path_is_one_component():
    steps = np.arange(1000)
    rows, columns = np.append(steps, steps[:-1]), np.append(steps, steps[:-1] + 1)
    assert len(np.unique(components(rows, columns))) == 1
