"""Maximum spanning tree of a sentence, from a score for every possible arc.

  T* = argmax_T Σ_d s(d, head_T(d))     over the trees in which one word depends on the root

Chu & Liu (1965), Edmonds (1967): every word takes its best head; a cycle is contracted to one node,
and the rest is solved the same way. A penalty on arcs from the root that no gain elsewhere can
outweigh ensures a single root.
"""

import numpy as np

from corefbench.records import Floats, Longs


def decode_heads(scores: Floats) -> list[int]:
    """Return the head of every word, counted from 1; 0 is the root, which has one dependent.

    ``scores`` has a row for every word and a column for every head, the root first.

    >>> decode_heads(np.array([[0.0, 0.0, 9.0], [5.0, 8.0, 0.0]]))
    [2, 0]
    """
    count = len(scores)
    square = np.full((count + 1, count + 1), -np.inf)
    square[1:] = scores
    np.fill_diagonal(square, -np.inf)
    heads = square.argmax(axis=1)
    if not (np.count_nonzero(heads[1:] == 0) == 1 and _find_cycle(heads) is None):
        # More than any tree could gain: the number of words times the range of scores.
        real = scores[np.isfinite(scores)]
        square[1:, 0] -= 1.0 + count * float(real.max() - real.min())
        heads = _solve(square)
    return [int(head) for head in heads[1:]]


def _solve(scores: Floats) -> Longs:
    """Return the best tree over the nodes; node 0 is the root."""
    heads: Longs = scores.argmax(axis=1)
    heads[0] = 0
    cycle = _find_cycle(heads)
    if cycle is None:
        return heads
    inside = np.zeros(len(scores), dtype=bool)
    inside[cycle] = True
    rest = np.flatnonzero(~inside)
    from_cycle = scores[np.ix_(rest, cycle)]
    # Entering the cycle at a node replaces that node's arc inside the cycle.
    into_cycle = scores[np.ix_(cycle, rest)] - scores[cycle, heads[cycle]][:, None]
    small = np.full((len(rest) + 1, len(rest) + 1), -np.inf)
    small[:-1, :-1] = scores[np.ix_(rest, rest)]
    small[:-1, -1] = from_cycle.max(axis=1)
    small[-1, :-1] = into_cycle.max(axis=0)
    contracted = _solve(small)
    cycle_node = len(rest)
    entry = cycle[into_cycle[:, contracted[-1]].argmax()]
    best = cycle[from_cycle.argmax(axis=1)]
    heads[rest] = np.where(contracted[:-1] == cycle_node, best, rest[np.minimum(contracted[:-1], cycle_node - 1)])
    heads[entry] = rest[contracted[-1]]
    return heads


def _find_cycle(heads: Longs) -> Longs | None:
    """Return the nodes of a cycle, or None; node 0 has no head."""
    seen = [0] * len(heads)
    parents = heads.tolist()
    for start in range(1, len(parents)):
        node = start
        while node and not seen[node]:
            seen[node] = start
            node = parents[node]
        if node and seen[node] == start:
            cycle = [node]
            while parents[cycle[-1]] != node:
                cycle.append(parents[cycle[-1]])
            return np.array(cycle)
    return None
