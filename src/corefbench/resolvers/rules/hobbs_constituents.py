"""Hobbs' naive algorithm (1978) over phrase-structure trees, in the nine steps of Tetreault (2001).

Nodes are told apart by identity and the way to the pronoun is kept as a list of nodes, since
sentences have equal subtrees. Penn trees have no N-bar, which steps 3 and 6 ask about: the first
noun phrase of ``(NP (NP the man) (PP in the park))`` stands for it, and is one candidate with the
whole. A possessive pronoun is taken to be in a noun phrase of its own.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from corefbench.preprocess.analysis import Constituent

Proposal: TypeAlias = tuple[int, Constituent]
"""The step of the algorithm and the noun phrase that it proposes."""

_CLAUSES = frozenset({"S", "SINV", "SQ", "SBARQ"})
_TOPS = frozenset({"", "TOP", "ROOT", "S1"})
_REDUCED = frozenset({"VP", "S", "RRC", "ADJP"})
"""Relative clauses without relative pronoun."""

_Visit: TypeAlias = tuple[Constituent, Constituent | None, bool]
"""A node, its parent, and whether a noun phrase or clause stands between it and the start."""


def proposals(tree: Constituent, pronoun: int, words: Sequence[str]) -> Iterator[Proposal]:
    """The noun phrases of the pronoun's own sentence, in the order in which they are proposed."""
    path = way_to(tree, pronoun)
    start = _start(path, pronoun)
    x = _above(path, start)
    if x is None:
        return
    for node, parent, between in _breadth_first(path[x : start + 1], right=False):
        if between and is_noun_phrase(node, parent):
            yield 3, node
    while (higher := _above(path, x)) is not None:
        way, x = path[higher : x + 1], higher
        if _proposes_itself(path, x, words):
            yield 6, path[x]
        for node, parent, _ in _breadth_first(way, right=False):
            if is_noun_phrase(node, parent):
                yield 7, node
        if _is_clause(path, x):
            for node, parent, between in _breadth_first(way, right=True):
                if not between and is_noun_phrase(node, parent):
                    yield 8, node


def in_previous_sentence(tree: Constituent) -> Iterator[Proposal]:
    """Step 4: all noun phrases of a sentence, from left to right and breadth first."""
    if is_noun_phrase(tree, None):
        yield 4, tree
    for node, parent, _ in _breadth_first([tree], right=False):
        if is_noun_phrase(node, parent):
            yield 4, node


def category(node: Constituent) -> str:
    """The label without function tags.

    >>> category(Constituent(label="NP-SBJ=2", start=0, end=1))
    'NP'
    """
    label = node.label
    return label if label.startswith("-") else label.partition("-")[0].partition("=")[0]


def is_noun_phrase(node: Constituent, parent: Constituent | None) -> bool:
    """Whether a node is a noun phrase and not the N-bar of one."""
    return (
        category(node) == "NP"
        and bool(node.children)
        and not (parent is not None and _is_bar(node, parent))
    )


def way_to(tree: Constituent, token: int) -> list[Constituent]:
    """The nodes from the top down to a word."""
    path = [tree]
    while path[-1].children:
        below = (node for node in path[-1].children if node.start <= token < node.end)
        node = next(below, None)
        if node is None:
            break
        path.append(node)
    return path


def _start(path: list[Constituent], pronoun: int) -> int:
    """Step 1: the noun phrase that is nothing but the pronoun, else the place of the word."""
    for place, node in enumerate(path):
        if category(node) == "NP" and (node.start, node.end) == (pronoun, pronoun + 1):
            return place
    return len(path) - 1


def _above(path: list[Constituent], place: int) -> int | None:
    """Steps 2 and 5: the first noun phrase or clause above a node."""
    for higher in range(place - 1, -1, -1):
        parent = path[higher - 1] if higher else None
        if _is_clause(path, higher) or is_noun_phrase(path[higher], parent):
            return higher
    return None


def _is_clause(path: list[Constituent], place: int) -> bool:
    """S and its like; a fragment where it is the whole sentence; SBAR is seen through."""
    label = category(path[place])
    if label == "FRAG":
        return place == 0 or (place == 1 and category(path[0]) in _TOPS)
    return label in _CLAUSES


def _is_bar(node: Constituent, parent: Constituent) -> bool:
    """Whether a noun phrase is the head part of its parent, not a conjunct or possessor."""
    if category(parent) != "NP" or category(node) != "NP" or _is_possessor(node):
        return False
    labels = [category(child) for child in parent.children]
    if "CC" in labels or any(label.startswith("NN") for label in labels):
        return False
    return node is next(child for child in parent.children if category(child) == "NP")


def _is_possessor(node: Constituent) -> bool:
    return bool(node.children) and category(node.children[-1]) == "POS"


def _proposes_itself(path: list[Constituent], place: int, words: Sequence[str]) -> bool:
    """Step 6: a noun phrase whose adjunct has the pronoun in it.

    Complements belong to the N-bar: *of* phrases and clauses that a subordinator opens. Possessors
    and conjuncts are part of what the phrase refers to, so it is never proposed for them.
    """
    x, below = path[place], path[place + 1]
    if not is_noun_phrase(x, path[place - 1] if place else None) or not below.children:
        return False
    label, opener = category(below), below.children[0]
    if label == "SBAR":
        return category(opener) != "IN"
    if label == "PP":
        return words[opener.start].lower() != "of"
    return label in _REDUCED


def _breadth_first(way: Sequence[Constituent], *, right: bool) -> Iterator[_Visit]:
    """The nodes below the first of a way, to the left or right of it, breadth first.

    Branches leave the way at each of its nodes but the last, which is where the search came from.
    """
    below = {id(node): branch for node, branch in pairwise(way)}
    queue: deque[_Visit] = deque([(way[0], None, False)])
    while queue:
        node, parent, between = queue.popleft()
        branch = below.get(id(node))
        if node is not way[0] and branch is None:
            yield node, parent, between
            between = between or category(node) in _CLAUSES or is_noun_phrase(node, parent)
        for child in node.children:
            aside = branch is None or (
                child is not branch and (child.start > branch.start) == right
            )
            if aside or id(child) in below:
                queue.append((child, node, between))
