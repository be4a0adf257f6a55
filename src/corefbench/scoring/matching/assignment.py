"""One-to-one assignment over a sparse list of candidate pairs, component by component."""

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from corefbench.records import Floats, Ints, Longs

Pairs: TypeAlias = tuple[Longs, Longs]
Solver: TypeAlias = Callable[[Floats], Pairs]
"""Takes a dense matrix; returns the rows and the columns that are paired."""

MATRIX_CELLS = 4_000_000
"""The largest matrix, in cells, that is filled; beyond it only candidate pairs are kept."""
_DENSE_CELLS = 250_000
_SMALL = 400
"""The most cells of a matrix, and candidate pairs of a call, that are solved without SciPy."""


def solver(size: int) -> Solver:
    """Return the solver for a problem of so many cells or candidate pairs.

    Importing ``scipy.optimize`` takes 0.55 s of processor time; scoring all of LitBank takes 0.5 s
    with start-up, the three documents of the example 0.35 s. What is left to the solver is usually
    a few small cycles of chains. So small problems are solved here, by the same algorithm.

    >>> rows, columns = solver(4)(np.array([[1.0, 3.0], [2.0, 3.0]]))
    >>> columns.tolist()
    [1, 0]
    """
    return solve_small if size <= _SMALL else solve_with_scipy


def solve_with_scipy(matrix: Floats) -> Pairs:
    """Return the assignment with the greatest sum, found by SciPy."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(matrix, maximize=True)
    return rows, columns


def solve_small(matrix: Floats) -> Pairs:
    """Return the assignment with the greatest sum, in plain Python.

    Shortest augmenting paths (Crouse 2016), as in SciPy down to the order in which columns are
    looked at, because that order decides ties and so the last bit of a sum.
    """
    if matrix.shape[1] < matrix.shape[0]:
        columns, rows = solve_small(matrix.T)
        order = np.argsort(rows)
        return rows[order], columns[order]
    costs = (-matrix).tolist()
    height, width = matrix.shape
    row_price, column_price = [0.0] * height, [0.0] * width
    row_of, column_of = [-1] * width, [-1] * height
    for start in range(height):
        path, distance = [-1] * width, [math.inf] * width
        remaining = list(range(width - 1, -1, -1))
        visited: list[int] = []
        row, reached, column = start, 0.0, -1
        while column < 0:
            nearest, place = math.inf, -1
            for index, candidate in enumerate(remaining):
                length = reached + costs[row][candidate] - row_price[row] - column_price[candidate]
                if length < distance[candidate]:
                    path[candidate], distance[candidate] = row, length
                # Of columns at the same distance, a free one ends the path.
                is_free = row_of[candidate] < 0
                if distance[candidate] < nearest or (distance[candidate] == nearest and is_free):
                    nearest, place = distance[candidate], index
            reached = nearest
            candidate = remaining[place]
            visited.append(candidate)
            remaining[place] = remaining[-1]
            remaining.pop()
            if row_of[candidate] < 0:
                column = candidate
            else:
                row = row_of[candidate]
        row_price[start] += reached
        for other in visited[:-1]:
            row_price[row_of[other]] += reached - distance[other]
        for other in visited:
            column_price[other] -= reached - distance[other]
        row = -1
        while row != start:  # turn the path round: each row on it takes the column before
            row = path[column]
            row_of[column] = row
            column_of[row], column = column, column_of[row]
    return np.arange(height), np.array(column_of, np.int64)


def assign(rows: Longs, columns: Longs, weights: Floats) -> Pairs:
    """Return the pairs, each row and column at most once, whose weights have the greatest sum.

    Pairs that are not listed, or whose weight is not above 0, are never chosen. A component of one
    row or one column takes its heaviest pair, the earlier of equals.

    >>> rows, columns = assign(np.array([0, 0, 1]), np.array([7, 8, 7]), np.array([3., 2., 2.]))
    >>> sorted(zip(rows.tolist(), columns.tolist()))
    [(0, 8), (1, 7)]
    """
    keep = np.flatnonzero(np.asarray(weights) > 0)
    row_names, row = np.unique(rows[keep], return_inverse=True)
    column_names, column = np.unique(columns[keep], return_inverse=True)
    weight = np.asarray(weights, np.float64)[keep]
    component = components(row, column)
    simple = _one_sided(row, column, component)
    # Nearly all components of real data have a single row or column: they need no solver.
    order = np.lexsort((column, row, -weight, component))
    order = order[simple[order]]
    _, first = np.unique(component[order], return_index=True)
    chosen = [order[first]]
    rest = np.flatnonzero(~simple)
    rest = rest[np.argsort(component[rest], kind="stable")]
    edges = np.flatnonzero(np.diff(component[rest], prepend=-1, append=-1))
    solve = solver(len(rest))
    for a, b in zip(edges.tolist(), edges[1:].tolist(), strict=False):
        part = rest[a:b]
        chosen.append(part[_solve(row[part], column[part], weight[part], solve)])
    pairs = np.concatenate(chosen)
    return row_names[row[pairs]], column_names[column[pairs]]


def assign_by_document(
    row_documents: Ints, column_documents: Ints, rows: Longs, columns: Longs, weights: Floats
) -> Pairs:
    """Do the same, with ties settled as by a full matrix for each document.

    ``row_documents`` and ``column_documents`` give the documents, ascending, of all rows and all
    columns, also of those without candidates: on them depends which of several best assignments
    the solver returns, and on that published scores. Documents whose matrix would exceed
    ``MATRIX_CELLS`` are solved by components.
    """
    keep = np.flatnonzero(np.asarray(weights) > 0)
    keep = keep[np.argsort(row_documents[rows[keep]], kind="stable")]
    rows, columns, weights = rows[keep], columns[keep], weights[keep]
    document = row_documents[rows]
    # A pair whose row and column have no other candidate is in every best assignment.
    lone = (np.bincount(rows)[rows] == 1) & (np.bincount(columns)[columns] == 1)
    busy = np.unique(document[~lone])
    settled = ~np.isin(document, busy)
    pairs = [(rows[settled], columns[settled])]
    for number in busy.tolist():
        a, b = np.searchsorted(document, (number, number + 1))
        top, bottom = np.searchsorted(row_documents, (number, number + 1))
        left, right = np.searchsorted(column_documents, (number, number + 1))
        if (bottom - top) * (right - left) > MATRIX_CELLS:
            pairs.append(assign(rows[a:b], columns[a:b], weights[a:b]))
            continue
        matrix = np.zeros((bottom - top, right - left))
        matrix[rows[a:b] - top, columns[a:b] - left] = weights[a:b]
        row, column = solver(matrix.size)(matrix)
        chosen = matrix[row, column] > 0
        pairs.append((row[chosen] + top, column[chosen] + left))
    return np.concatenate([p[0] for p in pairs]), np.concatenate([p[1] for p in pairs])


def components(row: Longs, column: Longs) -> Longs:
    """Return the number of the connected component of each edge of a bipartite graph.

    >>> components(np.array([0, 1, 1]), np.array([0, 1, 2])).tolist()
    [0, 1, 1]
    """
    if not len(row):
        return np.zeros(0, np.int64)
    shift = int(row.max()) + 1
    label = np.arange(shift + int(column.max()) + 1)
    while True:
        a, b = label[row], label[column + shift]
        if (a == b).all():
            return a
        # Every node points to a smaller one of its component; then paths are shortened.
        np.minimum.at(label, np.maximum(a, b), np.minimum(a, b))
        while (label[label] != label).any():
            label = label[label]


def _one_sided(row: Longs, column: Longs, component: Longs) -> np.ndarray:
    """Mark the edges in components of a single row or a single column."""
    edges = np.bincount(component)
    wide = np.bincount(row)[row] == edges[component]
    tall = np.bincount(column)[column] == edges[component]
    return np.asarray(wide | tall)


def _solve(row: Longs, column: Longs, weight: Floats, solve: Solver) -> Longs:
    """Return which edges of one component are chosen."""
    row_names, row = np.unique(row, return_inverse=True)
    column_names, column = np.unique(column, return_inverse=True)
    shape = len(row_names), len(column_names)
    if not _use_matrix(shape, len(row)):
        return _solve_sparse(row, column, weight, shape)
    matrix = np.zeros(shape)
    matrix[row, column] = weight
    chosen = np.zeros(shape, np.bool_)
    chosen[solve(matrix)] = True
    return np.flatnonzero(chosen[row, column])


def _use_matrix(shape: tuple[int, int], edges: int) -> bool:
    """Return whether a component is small or full enough to be solved as a matrix."""
    return shape[0] * shape[1] <= max(_DENSE_CELLS, 8 * edges)


def _solve_sparse(row: Longs, column: Longs, weight: Floats, shape: tuple[int, int]) -> Longs:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    # Each row has a private column that stands for no pair, so that every row can be matched.
    own = np.arange(shape[0])
    top = float(weight.max()) + 1
    cost = np.concatenate((top - weight, np.full(shape[0], top)))
    where = np.concatenate((row, own)), np.concatenate((column, shape[1] + own))
    graph = csr_array((cost, where), shape=(shape[0], shape[0] + shape[1]))
    _, partner = min_weight_full_bipartite_matching(graph)
    return np.flatnonzero(partner[row] == column)
