"""Mentions made of numbers, and scorers that workers can be sent."""

import numpy as np

from benchmarks.mentions import context_of
from corefbench.resolvers.across.candidates import Points
from corefbench.resolvers.across.judging import Judge
from corefbench.resolvers.across.vectors import unit


class Cosines:
    """The chance is (1 + cos) / 2, a little more with the same lemma."""

    def score(self, context, one, other):
        rows = context.views[0].rows
        cosine = (rows[one].astype(np.float64) * rows[other]).sum(axis=1)
        same = context.lemma[one] == context.lemma[other]
        return np.clip(0.45 + cosine / 2 + 0.05 * same, 0, 1).astype(np.float32)


class Given:
    """The chances of a matrix."""

    def __init__(self, matrix):
        self.matrix = matrix

    def score(self, context, one, other):
        return self.matrix[one, other]


def crowd(count, chains, seed=0, noise=0.6, lemmas=5, dimension=16):
    """So many mentions of so many chains: points, their judge, and the key."""
    random = np.random.default_rng(seed)
    chain = random.integers(0, chains, count)
    centre = random.normal(size=(chains, dimension))
    vectors = unit(centre[chain] + noise * random.normal(size=(count, dimension)))
    lemma = chain % lemmas
    points = Points(vectors=vectors, lemma=lemma, group=np.zeros(count, np.int64))
    judge = Judge(scorer=Cosines(), context=context_of(vectors, lemma, chain))
    return points, judge, chain


def shuffled(points, judge, order):
    """The same mentions in another order."""
    context = judge.context
    chain = context.table.chain[order]
    again = context_of(points.vectors[order], points.lemma[order], chain)
    return points.taken(order), Judge(scorer=judge.scorer, context=again)


def as_sets(clusters, names=None):
    names = np.arange(len(clusters)) if names is None else names
    return {frozenset(names[clusters == c].tolist()) for c in np.unique(clusters)}
