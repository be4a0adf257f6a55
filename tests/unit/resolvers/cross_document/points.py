"""Mentions made of numbers, and scorers that workers can be sent."""

import numpy as np

from benchmarks.synthetic_mentions import build_context
from corefbench.resolvers.cross_document.blocking import MentionVectors
from corefbench.resolvers.cross_document.linking import BoundScorer
from corefbench.resolvers.cross_document.vectors import normalize_rows


class Cosines:
    """The chance is (1 + cos) / 2, a little more with the same lemma."""

    def score(self, context, left, right):
        rows = context.views[0].rows
        cosine = (rows[left].astype(np.float64) * rows[right]).sum(axis=1)
        same = context.lemma[left] == context.lemma[right]
        return np.clip(0.45 + cosine / 2 + 0.05 * same, 0, 1).astype(np.float32)


class Given:
    """The chances of a matrix."""

    def __init__(self, matrix):
        self.matrix = matrix

    def score(self, context, left, right):
        return self.matrix[left, right]


def crowd(count, chains, seed=0, noise=0.6, lemmas=5, dimension=16):
    """So many mentions of so many chains: points, their scorer, and the key."""
    random = np.random.default_rng(seed)
    chain = random.integers(0, chains, count)
    centre = random.normal(size=(chains, dimension))
    vectors = normalize_rows(centre[chain] + noise * random.normal(size=(count, dimension)))
    lemma = chain % lemmas
    points = MentionVectors(vectors=vectors, lemma=lemma, group=np.zeros(count, np.int64))
    scorer = BoundScorer(scorer=Cosines(), context=build_context(vectors, lemma, chain))
    return points, scorer, chain


def shuffled(points, scorer, order):
    """The same mentions in another order."""
    context = scorer.context
    chain = context.mentions.chain[order]
    again = build_context(points.vectors[order], points.lemma[order], chain)
    return points.take(order), BoundScorer(scorer=scorer.scorer, context=again)


def as_sets(clusters, names=None):
    names = np.arange(len(clusters)) if names is None else names
    return {frozenset(names[clusters == c].tolist()) for c in np.unique(clusters)}
