"""Annotated mode: the mentions of a key as phrases, with heads and base phrases from the tree."""

from collections.abc import Iterable

from corefbench.preprocess.noun_phrases import Found
from corefbench.preprocess.spans import NOMINAL, core_span
from corefbench.preprocess.tree import Tree


def given_phrases(tree: Tree, mentions: Iterable[tuple[int, int, int | None]]) -> list[Found]:
    """The mentions in the order in which they begin, the longer first; of equal ones, one."""
    found: dict[tuple[int, int], Found] = {}
    count = len(tree.heads)
    for start, end, head in mentions:
        start, end = max(start, 0), min(end, count)
        if start < end and (start, end) not in found:
            found[start, end] = _given(tree, start, end, head)
    return sorted(found.values(), key=lambda phrase: (phrase.start, -phrase.end))


def _given(tree: Tree, start: int, end: int, head: int | None) -> Found:
    if head is None or not start <= head < end:
        head = head_of(tree, start, end)
    first, last = core_span(tree, head)
    return Found(
        start=start,
        end=end,
        core=(max(start, first), min(end, last)),
        head=head,
        coordination=any(
            tree.base[child] == "conj" and start <= child < end for child in tree.children[head]
        ),
    )


def head_of(tree: Tree, start: int, end: int) -> int:
    """The head of a span: of the words governed from outside it, the first that is nominal, else
    the first that is no punctuation, else the first."""
    upos, heads = tree.analysis.upos, tree.heads
    tops = [token for token in range(start, end) if not start <= heads[token] < end]
    for wanted in (lambda tag: tag in NOMINAL, lambda tag: tag != "PUNCT"):
        for token in tops:
            if wanted(upos[token]):
                return token
    return tops[0] if tops else start
