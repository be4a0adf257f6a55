"""What the chances of all pairs say of one pair: who else is likely, and what documents share.

The matrix of chances of a group (topic) is looked at as a whole: whether two mentions are each
other's best, have the same others in common, would merge under average linkage, and whether the
other mentions of their documents find partners in one another's.
"""

import numpy as np
from numpy.typing import NDArray

from corefbench.record import Longs
from corefbench.resolvers.across.clustering import square, tree
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.linking import components
from corefbench.resolvers.across.scorer import Chances

NAMES = (
    "chance",
    "less of its best",
    "more of its best",
    "better rank",
    "worse rank",
    "others in common",
    "merged",
    "fewer expected",
    "more expected",
    "documents share",
    "documents share else",
    "lesser rival",
    "greater rival",
)
_FLOOR = 0.02
_LARGEST = 3_000


def seen_in_chances(
    context: Context, one: Longs, other: Longs, chance: Chances
) -> NDArray[np.float32]:
    """Pairs × ``NAMES``; missing, but for the chance, where mentions are not of one part.

    Parts are what pairs join; of a part with too many mentions for a matrix, what likely pairs
    join.
    """
    made = np.full((len(one), len(NAMES)), np.nan, np.float32)
    made[:, 0] = chance
    part = np.full(len(context.table), -1, np.int64)
    place = np.zeros(len(context.table), np.int64)
    parts = components(len(context.table), one, other, chance, 0.0, _LARGEST, _FLOOR)
    for number, members in enumerate(parts):
        part[members], place[members] = number, np.arange(len(members))
    inside = np.flatnonzero(part[one] == part[other])
    order = inside[np.argsort(part[one[inside]], kind="stable")]
    edges = np.searchsorted(part[one[order]], np.arange(len(parts) + 1))
    for number, members in enumerate(parts):
        rows = order[edges[number] : edges[number + 1]]
        if len(rows):
            a, b = place[one[rows]], place[other[rows]]
            matrix = np.asarray(square(len(members), a, b, chance[rows]), np.float64)
            made[rows, 1:] = _of_part(matrix, context.table.document[members], a, b)
    return made


def _of_part(
    matrix: NDArray[np.float64], document: Longs, a: Longs, b: Longs
) -> NDArray[np.float64]:
    best = np.maximum(matrix.max(axis=1), 1e-9)
    chance = matrix[a, b]
    rank = np.log1p(np.argsort(np.argsort(-matrix, axis=1), axis=1))
    expected = matrix.sum(axis=1)
    columns = [
        *_both(chance / best[a], chance / best[b]),
        *_both(rank[a, b], rank[b, a]),
        _common(matrix)[a, b],
        _merged(matrix)[a, b],
        *_both(expected[a], expected[b]),
        *_documents(matrix, document, a, b),
    ]
    return np.stack(columns, axis=1)


def _both(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    return np.minimum(x, y), np.maximum(x, y)


def _common(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The cosine of two mentions' chances with all others, each certain of itself."""
    rows = matrix.copy()
    np.fill_diagonal(rows, 1.0)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows @ rows.T, np.float64)


def _merged(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """How likely two clusters were when average linkage put these two mentions into one."""
    from scipy.cluster.hierarchy import cophenet
    from scipy.spatial.distance import squareform

    return np.asarray(1.0 - squareform(cophenet(tree(matrix))), np.float64)


def _documents(
    matrix: NDArray[np.float64], document: Longs, a: Longs, b: Longs
) -> list[NDArray[np.float64]]:
    """How well the mentions of two documents match, with and without these two, and their rivals.

    A rival is a mention in the other's document, beside that other, with the best chance.
    """
    _, of = np.unique(document, return_inverse=True)
    of = of.reshape(-1)
    first, second = _two_best(matrix, of)
    count = np.bincount(of)
    total = np.zeros((len(count), len(count)))
    np.add.at(total, of, first)
    x, y = of[a], of[b]
    share = total / count[:, None]
    rest = total[x, y] - first[a, y] + total[y, x] - first[b, x]
    others = count[x] + count[y] - 2
    else_ = np.where(others > 0, rest / np.maximum(others, 1), np.nan)
    chance = matrix[a, b]
    rivals = [
        np.where(chance >= first[m, d] - 1e-9, second[m, d], first[m, d]) - chance
        for m, d in ((a, y), (b, x))
    ]
    together = (share[x, y] + share[y, x]) / 2
    return [together, np.where(x == y, 1.0, else_), *_both(rivals[0], rivals[1])]


def _two_best(
    matrix: NDArray[np.float64], of: Longs
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mentions × documents: the best and the second best chance of a mention in a document."""
    shape = (len(matrix), int(of.max(initial=-1)) + 1)
    first, second = np.zeros(shape), np.zeros(shape)
    for number in range(shape[1]):
        columns = np.sort(matrix[:, of == number], axis=1)
        first[:, number] = columns[:, -1]
        if columns.shape[1] > 1:
            second[:, number] = columns[:, -2]
    return first, second
