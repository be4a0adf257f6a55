"""Zeros matched by their dependencies, whatever the position of their empty nodes.

A zero is a mention whose head is an empty node, as in the CorefUD scorer. Two zeros of a sentence
match as well as their enhanced dependencies agree:

    10 · F1(parents with relations) + F1(parents)

and the assignment with the greatest sum in the document pairs them. What stays free may still
match something else, even a mention that is no zero. (Novák et al. 2024)
"""

from functools import lru_cache

import numpy as np

from corefbench.corpus.corpus import Corpus
from corefbench.records import Flags, Longs
from corefbench.scoring.matching.assignment import assign_by_document
from corefbench.scoring.matching.steps import Side, Step, join


def has_dependencies(key: Corpus, response: Corpus) -> bool:
    """Return whether both corpora have empty nodes and enhanced dependencies."""
    return all(c.tokens.empty is not None and "deps" in c.tokens.columns for c in (key, response))


def is_zero(corpus: Corpus) -> Flags:
    """Mark the mentions that are zeros; without a head, the first word decides."""
    if corpus.tokens.empty is None:
        return np.zeros(len(corpus.mentions), np.bool_)
    return np.asarray(corpus.tokens.empty[_heads(corpus)])


def match_by_dependency(key: Corpus, response: Corpus, left: Side, right: Side) -> Step:
    """Return the step that pairs zeros."""

    def step(free_key: Longs, free_response: Longs) -> tuple[Longs, Longs]:
        k = free_key[is_zero(key)[left.mention[free_key]]]
        r = free_response[is_zero(response)[right.mention[free_response]]]
        key_heads = _heads(key)[left.mention[k]]
        response_heads = _heads(response)[right.mention[r]]
        rows, columns = join(_sentences(key, key_heads), _sentences(response, response_heads))
        weights = _agreements(key, response, key_heads[rows], response_heads[columns])
        rows, columns = assign_by_document(left.document[k], right.document[r], rows, columns, weights)
        return k[rows], r[columns]

    return step


@lru_cache(maxsize=1 << 16)
def dependency_agreement(key: str, response: str) -> float:
    """Return how well two DEPS cells agree, from 0 to 11; cells without dependencies: 0.

    >>> dependency_agreement("3:nsubj|5:conj", "3:nsubj"), dependency_agreement("3:nsubj", "3:obj")
    (7.333333333333333, 1.0)
    """
    deps = _dependencies(key), _dependencies(response)
    parents = [frozenset(parent for parent, _ in side) for side in deps]
    return 10 * _f1(*deps) + _f1(*parents)


def _dependencies(cell: str) -> frozenset[tuple[str, str]]:
    if cell in ("", "_"):
        return frozenset()
    pieces = (item.partition(":") for item in cell.split("|"))
    return frozenset((parent, relation) for parent, _, relation in pieces)


def _f1(key: frozenset[object], response: frozenset[object]) -> float:
    common = len(key & response)
    if not common:
        return 0.0
    # Computed as the CorefUD scorer does, to the last bit: equal sums are ties.
    precision, recall = common / len(key), common / len(response)
    return 2 * precision * recall / (precision + recall)


def _heads(corpus: Corpus) -> Longs:
    """Return the head of each mention as a token of the corpus."""
    mentions = corpus.mentions
    head = mentions.start
    if mentions.head is not None:
        head = np.where(mentions.head >= 0, mentions.head, mentions.start)
    return corpus.tokens.offsets[mentions.document] + head


def _sentences(corpus: Corpus, tokens: Longs) -> Longs:
    """Return the number of the sentence of each token, the same in both corpora."""
    return np.searchsorted(corpus.tokens.sentences, tokens, side="right")


def _agreements(key: Corpus, response: Corpus, k: Longs, r: Longs) -> np.ndarray:
    left, right = key.tokens.columns["deps"], response.tokens.columns["deps"]
    pairs = zip(k.tolist(), r.tolist(), strict=True)
    return np.fromiter((dependency_agreement(left[i], right[j]) for i, j in pairs), np.float64, len(k))
