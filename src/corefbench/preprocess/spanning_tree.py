"""The best dependency tree of a sentence, from a score for every possible arc.

  T* = argmax_T Σ_d s(d, head_T(d))     over the trees in which one word hangs on the root

Chu & Liu (1965), Edmonds (1967): every word takes its best head; a cycle is drawn together to one
node, and what is left is solved the same way. That there is one root only comes from a price on
arcs from the root which no gain elsewhere makes up for.
"""

import numpy as np

from corefbench.record import Floats, Longs


def best_heads(scores: Floats) -> list[int]:
    """For every word its head, counted from 1; 0 is the root, which has one word.

    ``scores`` has a row for every word and a column for every head, the root first.

    >>> best_heads(np.array([[0.0, 0.0, 9.0], [5.0, 8.0, 0.0]]))
    [2, 0]
    """
    count = len(scores)
    square = np.full((count + 1, count + 1), -np.inf)
    square[1:] = scores
    np.fill_diagonal(square, -np.inf)
    heads = square.argmax(axis=1)
    if not (np.count_nonzero(heads[1:] == 0) == 1 and _cycle(heads) is None):
        real = scores[np.isfinite(scores)]
        square[1:, 0] -= 1.0 + count * float(real.max() - real.min())
        heads = _tree(square)
    return [int(head) for head in heads[1:]]


def _tree(scores: Floats) -> Longs:
    """The best tree over the nodes; node 0 is the root."""
    heads: Longs = scores.argmax(axis=1)
    heads[0] = 0
    cycle = _cycle(heads)
    if cycle is None:
        return heads
    inside = np.zeros(len(scores), dtype=bool)
    inside[cycle] = True
    rest = np.flatnonzero(~inside)
    from_cycle = scores[np.ix_(rest, cycle)]
    into_cycle = scores[np.ix_(cycle, rest)] - scores[cycle, heads[cycle]][:, None]
    small = np.full((len(rest) + 1, len(rest) + 1), -np.inf)
    small[:-1, :-1] = scores[np.ix_(rest, rest)]
    small[:-1, -1] = from_cycle.max(axis=1)
    small[-1, :-1] = into_cycle.max(axis=0)
    found = _tree(small)
    place = len(rest)
    entry = cycle[into_cycle[:, found[-1]].argmax()]
    best = cycle[from_cycle.argmax(axis=1)]
    heads[rest] = np.where(found[:-1] == place, best, rest[np.minimum(found[:-1], place - 1)])
    heads[entry] = rest[found[-1]]
    return heads


def _cycle(heads: Longs) -> Longs | None:
    """The nodes of a cycle, if there is one; node 0 has no head."""
    seen = [0] * len(heads)
    parents = heads.tolist()
    for start in range(1, len(parents)):
        node = start
        while node and not seen[node]:
            seen[node] = start
            node = parents[node]
        if node and seen[node] == start:
            found = [node]
            while parents[found[-1]] != node:
                found.append(parents[found[-1]])
            return np.array(found)
    return None
