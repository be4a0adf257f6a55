"""The heads of mentions in corpora with phrase-structure trees (CoNLL-2012's column ``parse``)."""

from collections.abc import Sequence

import numpy as np

from corefbench.model.corpus import Tokens
from corefbench.preprocess.analysis import Constituent
from corefbench.preprocess.constituents import tree_of
from corefbench.preprocess.head_rules import head_child


def parse_heads(tokens: Tokens, spans: Sequence[tuple[int, int]]) -> list[int]:
    """The head of every span that is a phrase of its tree; -1 for others, and without trees.

    Spans and heads are counted over all tokens.
    """
    bits, tags = tokens.columns.get("parse"), tokens.columns.get("pos")
    if bits is None or tags is None or not len(tokens.sentences):
        return [-1] * len(spans)
    starts = tokens.sentences.tolist()
    ends = [*starts[1:], len(tokens)]
    sentences = np.searchsorted(tokens.sentences, [start for start, _ in spans], side="right") - 1
    trees: dict[int, dict[tuple[int, int], Constituent]] = {}
    heads = []
    for span, number in zip(spans, sentences.tolist(), strict=True):
        if number not in trees:
            a, b = starts[number], ends[number]
            trees[number] = _phrases(tree_of(bits.slice(a, b), tags.slice(a, b), a))
        phrase = trees[number].get(span)
        heads.append(-1 if phrase is None else _head(phrase))
    return heads


def _phrases(root: Constituent | None) -> dict[tuple[int, int], Constituent]:
    """The phrases of a tree by their spans; of several with one span the lowest."""
    found: dict[tuple[int, int], Constituent] = {}
    waiting = [] if root is None else [root]
    while waiting:
        node = waiting.pop()
        found[node.start, node.end] = node
        waiting += node.children
    return found


def _head(node: Constituent) -> int:
    while node.children:
        node = node.children[head_child(node.label, node.children)]
    return node.start
