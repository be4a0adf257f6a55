"""What belongs to a noun phrase: the words around its head.

A phrase is the head's subtree without what only links it to the rest of the sentence
(prepositions, conjuncts, copula …), cut to the unbroken run of words around the head. The rules
were tuned on the development part of GUM.
"""

from corefbench.language.words import words
from corefbench.preprocess.tree import Tree

NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})
"""Words that head a phrase wherever they stand."""
SUBSTANTIVE = frozenset({"NUM", "ADJ", "DET", "SYM", "X"})
"""Words that head a phrase where they fill an argument."""

OUTSIDE = frozenset(
    {
        "case", "cc", "conj", "appos", "cop", "mark", "punct", "parataxis", "dep", "csubj", "nsubj",
        "aux", "expl", "discourse", "vocative", "list", "orphan", "reparandum", "advcl", "obl",
        "ccomp", "dislocated",
    }
)  # fmt: skip
"""Relations of what hangs on a head and is not part of its phrase."""
_SKIPPED = frozenset({"punct", "appos", "parataxis", "dep", "discourse"})
"""Relations of what may stand in the midst of a phrase without being its beginning or end."""
_APPROXIMATE = words("about almost nearly approximately roughly around over some")
"""Adverbs before a phrase that belong to it; others (*only*, *not*) belong to the clause."""
_TRAILING = frozenset({",", ";", ":", ".", "–", "—", "-"})
_BASE = frozenset({"det", "amod", "nummod", "compound", "flat", "fixed", "goeswith"})
_RIGHT = frozenset({"flat", "fixed", "goeswith"})


def phrase_span(tree: Tree, head: int, outside: frozenset[str] = OUTSIDE) -> tuple[int, int]:
    """The words of the phrase that a word heads."""
    children = tree.children[head]
    if not children:
        return head, head + 1
    start, end = _left(tree, head, outside), _right(tree, head, outside)
    words = tree.analysis.words
    while end > head + 1 and words[end - 1] in _TRAILING:
        end -= 1
    return start, end


def _left(tree: Tree, head: int, outside: frozenset[str]) -> int:
    """Where the phrase begins."""
    start = edge = head
    for child in reversed(tree.children[head]):
        if child > head:
            continue
        if tree.finish[child] != edge:
            break
        edge = tree.begin[child]
        relation = tree.base[child]
        if relation in outside:
            if relation not in _SKIPPED:
                break
        elif relation == "advmod" and tree.analysis.lemmas[child].lower() not in _APPROXIMATE:
            break
        else:
            start = edge
    return start


def _right(tree: Tree, head: int, outside: frozenset[str]) -> int:
    """Where the phrase ends; the mark of the genitive belongs to it."""
    end = edge = head + 1
    for child in tree.children[head]:
        if child < head:
            continue
        if tree.begin[child] != edge:
            break
        edge = tree.finish[child]
        relation = tree.base[child]
        if relation in outside:
            if relation == "case" and tree.analysis.upos[child] == "PART":
                end = edge
            elif relation not in _SKIPPED:
                break
        else:
            end = edge
    return end


def core_span(tree: Tree, head: int) -> tuple[int, int]:
    """The base noun phrase: determiner, modifiers, possessor and head."""
    begin, finish, base = tree.begin, tree.finish, tree.base
    start, end = head, head + 1
    for child in reversed(tree.children[head]):
        if child < head:
            if finish[child] != start or not (
                base[child] in _BASE or tree.relations[child] in ("nmod:poss", "nmod:desc")
            ):
                break
            start = begin[child]
    for child in tree.children[head]:
        if child > head:
            if begin[child] != end or base[child] not in _RIGHT:
                break
            end = finish[child]
    return start, end


def coordination_span(
    tree: Tree, head: int, outside: frozenset[str] = OUTSIDE
) -> tuple[int, int] | None:
    """From the first to the last conjunct, where a word is the first of several nominals."""
    upos = tree.analysis.upos
    conjuncts = [
        child
        for child in tree.children[head]
        if tree.base[child] == "conj"
        and child > head
        and (upos[child] in NOMINAL or upos[child] in SUBSTANTIVE)
    ]
    if not conjuncts:
        return None
    return phrase_span(tree, head, outside - {"conj", "cc"})
