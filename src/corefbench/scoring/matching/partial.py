"""Partial matching (CRAC 2022): a response mention inside a key mention that holds its head.

A key without heads but with minimal spans is matched by these, as in the Universal Anaphora scorer.
"""

import numpy as np

from corefbench.corpus.corpus import Corpus
from corefbench.records import Longs
from corefbench.scoring.matching import minimum, zeros
from corefbench.scoring.matching.alignment import Twins
from corefbench.scoring.matching.head import match_best, require_heads
from corefbench.scoring.matching.steps import Side, Step, distinct_mentions, join, match_identical, match_in_steps
from corefbench.scoring.matching.word_sets import heads, identity_codes, overlaps, word_sets


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
    if key.mentions.head is None and key.mentions.minimum is not None:
        return minimum.match(key, response)
    require_heads(key, "partial")
    words = word_sets(key, response)
    codes = identity_codes(*words)
    left = distinct_mentions(words[0], codes[0])
    right = distinct_mentions(words[1], codes[1])
    steps = [match_identical(left, right), match_inside(left, right, heads(key, words[0]))]
    if dependent and zeros.has_dependencies(key, response):
        steps.insert(0, zeros.match_by_dependency(key, response, left, right))
    return match_in_steps(left, right, *steps)


def match_inside(left: Side, right: Side, key_head: Longs) -> Step:
    """Return the step that pairs key mentions with response mentions inside them, head included."""

    def candidates(k: Longs, r: Longs) -> tuple[Longs, Longs, np.ndarray]:
        counts, words = right.words.expand(right.mention[r])
        rows, word = join(key_head[left.mention[k]], words)
        columns = np.repeat(np.arange(len(r)), counts)[word]
        pairs = left.mention[k[rows]], right.mention[r[columns]]
        shared = overlaps(left.words, right.words, *pairs)
        contained = shared == right.words.size[pairs[1]]
        return rows, columns, np.where(contained, shared / left.words.size[pairs[0]], 0.0)

    return match_best(left, right, candidates)
