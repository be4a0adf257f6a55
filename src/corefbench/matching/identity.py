"""Which mentions are the same words, for whole corpora at once."""

import numpy as np

from corefbench.matching.words import WordSets
from corefbench.record import Ints, Longs


def identities(key: WordSets, response: WordSets) -> tuple[Longs, Longs]:
    """A number for each mention of both sides, equal where document and words are the same.

    A run of surface words is known by its ends, and its number rises in the order in which mentions
    open; every other set of words is numbered below 0, as it is met.
    """
    width = 1 + max(int((side.last - side.first).max(initial=0)) for side in (key, response))
    others: dict[bytes, int] = {}
    return _numbers(key, width, others), _numbers(response, width, others)


def with_heads(
    codes: tuple[Longs, Longs], key_head: Longs, response_head: Longs
) -> tuple[Longs, Longs]:
    """Numbers that are equal where the words, by their ``codes``, and the heads are the same."""
    both = np.concatenate(codes)
    _, number = np.unique(both, return_inverse=True)
    head = np.concatenate((key_head, response_head))
    number = number * (1 + int(head.max(initial=0))) + head
    return number[: len(codes[0])], number[len(codes[0]) :]


def last_same(key: Longs, response: Longs, chain: Ints | None = None) -> Ints:
    """For each response mention the key mention of the same number, or -1.

    Where the key repeats a mention the last counts, or, given the chains, that of the last chain.

    >>> key, response = np.array([7, 3, 7]), np.array([7, 5])
    >>> last_same(key, response).tolist(), last_same(key, response, np.array([1, 0, 0])).tolist()
    ([2, -1], [0, -1])
    """
    if not len(key):
        return np.full(len(response), -1, np.int32)
    order = None
    if (key[1:] <= key[:-1]).any():
        order = np.argsort(key, kind="stable") if chain is None else np.lexsort((chain, key))
        key = key[order]
    at = np.maximum(np.searchsorted(key, response, side="right") - 1, 0)
    twin = at if order is None else order[at]
    return np.where(key[at] == response, twin, -1).astype(np.int32)


def _numbers(side: WordSets, width: int, others: dict[bytes, int]) -> Longs:
    extent = side.last - side.first
    code = side.first * width + (width - 1 - extent)
    if side.solid:
        return code
    odd = np.flatnonzero(~side.plain())
    counts, words = side.expand(odd)
    edges = np.append(0, np.cumsum(counts)).tolist()
    for index, a, b in zip(odd.tolist(), edges, edges[1:], strict=False):
        code[index] = -1 - others.setdefault(np.sort(words[a:b]).tobytes(), len(others))
    return code
