"""The largest sum of weights over one-to-one pairings of key and response chains.

Most of it needs no solver. A chain that meets only one other is a *leaf*. Where leaves meet a chain
*c*, the best of them, of weight w, is always at hand for *c*: take w, lower all other cells of *c*
by w, forget the leaves and the cells that are now worth nothing, and look for leaves again. What is
left when no leaf remains (a handful of small cycles on real data) goes to SciPy, component by
component.
"""

import numpy as np

from corefbench.records import Floats, Longs
from corefbench.scoring.matching.assignment import assign
from corefbench.scoring.measures.contingency import Contingency

_ROUNDS = 100
"""Peeling is linear per round; a path of a million chains must not take a million rounds."""


def best_pairing(table: Contingency, weight: Floats) -> Floats:
    """The best sum of each document."""
    total = np.zeros(table.documents)
    key, response = table.key, table.response
    for _ in range(_ROUNDS):
        cells = len(key)
        gain, key, response, weight = _peel(key, response, weight, len(table.response_size))
        total += table.per_response_document(gain)
        gain, response, key, weight = _peel(response, key, weight, len(table.key_size))
        total += table.per_key_document(gain)
        if len(key) == cells:
            break
    if len(key):
        row, column = assign(key, response, weight)
        total += _sum_of_pairs(table, key, response, weight, row, column)
    return total


def _peel(side: Longs, other: Longs, weight: Floats, others: int) -> tuple[Floats, Longs, Longs, Floats]:
    """Give every chain of the other side its best leaf of this side.

    Returns what each of the ``others`` gained and the cells that remain.
    """
    is_leaf = np.bincount(side)[side] == 1 if len(side) else np.zeros(0, np.bool_)
    gain = np.zeros(others)
    np.maximum.at(gain, other[is_leaf], weight[is_leaf])
    lowered = weight - gain[other]
    keep = ~is_leaf & (lowered > 0)
    return gain, side[keep], other[keep], lowered[keep]


def _sum_of_pairs(table: Contingency, key: Longs, response: Longs, weight: Floats, row: Longs, column: Longs) -> Floats:
    """The weight of the chosen cells of each document."""
    width = len(table.response_size)
    code = key * width + response
    order = np.argsort(code)
    chosen = order[np.searchsorted(code[order], row * width + column)]
    document = table.key_document[key[chosen]]
    return np.bincount(document, weight[chosen], minlength=table.documents).astype(np.float64)
