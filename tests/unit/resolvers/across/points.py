"""Mentions made of numbers, and scorers that workers can be sent."""

import numpy as np

from corefbench.resolvers.across.candidates import Points
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.judging import Judge
from corefbench.resolvers.across.table import Table
from corefbench.resolvers.across.vectors import unit
from corefbench.resolvers.across.views import View
from corefbench.resolvers.across.words import Words


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


def context_of(vectors, lemma, chain):
    own, none = np.arange(len(lemma)), np.zeros(0, np.int64)
    table = Table(document=own, sentence=own, start=own, end=own + 1, head=own, chain=chain)
    return Context(
        words=Words(
            forms=(),
            lemmas=(),
            tags=(),
            governors=none,
            relations=(),
            document=none,
            sentence=none,
            sentences=none,
        ),
        table=table,
        views=(View(name="span vector", rows=vectors, of=own),),
        lemma=lemma,
        text=none,
        lemmas=(),
        texts=(),
        rarity=np.zeros(0),
        near=np.zeros((0, 0), np.int64),
        vectors=np.zeros((0, 0), np.float32),
    )


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
