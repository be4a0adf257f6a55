"""Head matching (CRAC 2023 on): a response mention is a key mention if their heads are one word."""

from collections.abc import Callable

import numpy as np

from corefbench.corpus.corpus import Corpus
from corefbench.errors import MismatchError, Place
from corefbench.records import Longs
from corefbench.scoring.matching import zeros
from corefbench.scoring.matching.alignment import Twins
from corefbench.scoring.matching.assignment import assign_by_document
from corefbench.scoring.matching.steps import Side, Step, distinct_mentions, join, match_identical, match_in_steps
from corefbench.scoring.matching.word_sets import heads, identity_codes, overlaps, with_heads, word_sets


def match(key: Corpus, response: Corpus) -> Twins:
    """Zeros by dependency, then the same words and head, then the same head.

    Of several candidates the assignment with the greatest sum of |k ∩ r| / |k| decides, of equal
    ones the earlier mention. The same words with different heads do not match.
    """
    return _match(key, response, dependent=True)


def match_linear(key: Corpus, response: Corpus) -> Twins:
    """The same, zeros by their position like any other word."""
    return _match(key, response, dependent=False)


def require_heads(corpus: Corpus, rule: str) -> None:
    """Raise if no mention of the corpus has a head."""
    if corpus.mentions.head is None and len(corpus.mentions):
        raise MismatchError(
            f"{rule} matching needs the heads of mentions",
            code="CB211",
            place=Place(source=corpus.name),
            found="mentions without heads",
            expected="a head for every mention, as CorefUD files have",
            remedy="match exactly, or add heads, for instance with udapi's corefud.MoveHead",
        )


def _match(key: Corpus, response: Corpus, *, dependent: bool) -> Twins:
    require_heads(key, "head")
    require_heads(response, "head")
    words = word_sets(key, response)
    head = heads(key, words[0]), heads(response, words[1])
    codes = with_heads(identity_codes(*words), *head)
    left = distinct_mentions(words[0], codes[0])
    right = distinct_mentions(words[1], codes[1])
    steps = [match_identical(left, right), match_same_head(left, right, *head)]
    if dependent and zeros.has_dependencies(key, response):
        steps.insert(0, zeros.match_by_dependency(key, response, left, right))
    return match_in_steps(left, right, *steps)


def match_same_head(left: Side, right: Side, key_head: Longs, response_head: Longs) -> Step:
    """Return the step that pairs mentions with the same head."""

    def candidates(k: Longs, r: Longs) -> tuple[Longs, Longs, np.ndarray]:
        rows, columns = join(key_head[left.mention[k]], response_head[right.mention[r]])
        pairs = left.mention[k[rows]], right.mention[r[columns]]
        shared = overlaps(left.words, right.words, *pairs)
        return rows, columns, shared / left.words.size[pairs[0]]

    return match_best(left, right, candidates)


def match_best(left: Side, right: Side, candidates: Callable[[Longs, Longs], tuple[Longs, Longs, np.ndarray]]) -> Step:
    """Return the step that assigns the best of the ``candidates`` among unmatched entries."""

    def step(free_key: Longs, free_response: Longs) -> tuple[Longs, Longs]:
        rows, columns = assign_by_document(
            left.document[free_key], right.document[free_response], *candidates(free_key, free_response)
        )
        return free_key[rows], free_response[columns]

    return step
