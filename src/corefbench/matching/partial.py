"""Partial matching (CRAC 2022): a response mention inside a key mention that holds its head."""

import numpy as np

from corefbench.matching import zeros
from corefbench.matching.alignment import Twins
from corefbench.matching.head import best_of, require_heads
from corefbench.matching.identity import identities
from corefbench.matching.steps import Side, Step, distinct, identical, in_steps, join
from corefbench.matching.words import heads, overlaps, word_sets
from corefbench.model.corpus import Corpus
from corefbench.record import Longs


def match(key: Corpus, response: Corpus) -> Twins:
    """Zeros by dependency, then the same words, then head(k) ∈ r ⊆ k.

    Of several candidates the assignment with the greatest sum of |r| / |k| decides, of equal ones
    the earlier mention. Heads of the response are not looked at.
    """
    return _match(key, response, dependent=True)


def match_linear(key: Corpus, response: Corpus) -> Twins:
    """The same, zeros by their position like any other word."""
    return _match(key, response, dependent=False)


def _match(key: Corpus, response: Corpus, *, dependent: bool) -> Twins:
    require_heads(key, "partial")
    words = word_sets(key, response)
    codes = identities(*words)
    left = distinct(words[0], codes[0])
    right = distinct(words[1], codes[1])
    steps = [identical(left, right), inside(left, right, heads(key, words[0]))]
    if dependent and zeros.comparable(key, response):
        steps.insert(0, zeros.by_dependency(key, response, left, right))
    return in_steps(left, right, *steps)


def inside(left: Side, right: Side, key_head: Longs) -> Step:
    """The step that pairs key mentions with response mentions inside them, head included."""

    def candidates(k: Longs, r: Longs) -> tuple[Longs, Longs, np.ndarray]:
        counts, words = right.words.expand(right.mention[r])
        rows, word = join(key_head[left.mention[k]], words)
        columns = np.repeat(np.arange(len(r)), counts)[word]
        pairs = left.mention[k[rows]], right.mention[r[columns]]
        shared = overlaps(left.words, right.words, *pairs)
        contained = shared == right.words.size[pairs[1]]
        return rows, columns, np.where(contained, shared / left.words.size[pairs[0]], 0.0)

    return best_of(left, right, candidates)
