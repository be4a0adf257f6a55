"""Documents drawn anew, or swapped between two systems: the two ways to resample paired tallies.

Tallies add, so a resample is a row of weights, how often each document counts, and its sums are
that row times the tallies (documents × columns). All resamples are one matrix product, a portion
at a time so that memory stays bounded.

Weights come from a seeded generator: the same seed draws the same documents, whatever and however
many systems are compared.
"""

from collections.abc import Iterator

import numpy as np

from corefbench.record import Floats

_AT_ONCE = 1 << 20
"""Weights in a portion."""


def drawn(documents: int, samples: int, seed: int) -> Iterator[Floats]:
    """The bootstrap: as many documents as there are, with replacement (Efron 1979).

    >>> [weights.sum(axis=1).tolist() for weights in drawn(4, 3, seed=0)]
    [[4.0, 4.0, 4.0]]
    """
    generator = np.random.default_rng(seed)
    for rows in portions(documents, samples):
        chosen = generator.integers(documents, size=(rows, documents))
        chosen += np.arange(rows)[:, np.newaxis] * documents
        counts = np.bincount(chosen.ravel(), minlength=rows * documents)
        yield counts.reshape(rows, documents).astype(np.float64)


def swapped(documents: int, samples: int, seed: int) -> Iterator[Floats]:
    """Which documents change places between two systems: 1 swapped, 0 not (Noreen 1989).

    Where there are no more ways than samples, each way once, else so many ways by chance.

    >>> [weights.tolist() for weights in swapped(2, 100, seed=0)]
    [[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]
    """
    if is_enumerable(documents, samples):
        first = 0
        for rows in portions(documents, 2**documents):
            ways = np.arange(first, first + rows)[:, np.newaxis] >> np.arange(documents)
            yield (ways & 1).astype(np.float64)
            first += rows
        return
    generator = np.random.default_rng(seed)
    for rows in portions(documents, samples):
        coins = generator.integers(2, size=(rows, documents), dtype=np.uint8)
        yield coins.astype(np.float64)


def is_enumerable(documents: int, samples: int) -> bool:
    """Whether all 2ⁿ ways to swap *n* documents are no more than the samples.

    >>> is_enumerable(13, 10_000), is_enumerable(14, 10_000)
    (True, False)
    """
    return documents < 63 and 2**documents <= samples


def portions(documents: int, samples: int) -> Iterator[int]:
    """The resamples in portions of bounded size."""
    most = max(1, _AT_ONCE // max(documents, 1))
    for first in range(0, samples, most):
        yield min(most, samples - first)
