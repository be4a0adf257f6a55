"""The clauses of a document, each by its verb or predicate."""

from corefbench.preprocess.discourse import Clause
from corefbench.preprocess.tree import Tree

_ALWAYS = frozenset({"root", "ccomp", "advcl", "acl", "parataxis", "csubj"})
_SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
_FINITE_TAGS = frozenset({"VBD", "VBZ", "VBP", "MD"})
_VERBAL = frozenset({"VERB", "AUX"})


def clauses(tree: Tree) -> tuple[tuple[Clause, ...], list[int]]:
    """The clauses, in the order of their heads, and for every token the innermost it is in.

    A clause is headed by a root, a complement, adverbial, adnominal or parenthetical clause, an
    open complement with a subject of its own, or a verb or predicate coordinated with one.
    """
    heads = sorted(token for token in tree.order if _heads_clause(tree, token))
    number = {head: place for place, head in enumerate(heads)}
    inside = [-1] * len(tree.heads)
    parent = [-1] * len(heads)
    for token in tree.order:
        above = inside[tree.heads[token]] if tree.heads[token] >= 0 else -1
        own = number.get(token)
        if own is not None:
            parent[own], inside[token] = above, own
        else:
            inside[token] = above
    found = tuple(
        Clause(
            head=head,
            start=tree.begin[head],
            end=tree.finish[head],
            sentence=tree.sentence[head],
            parent=parent[place],
            finite=is_finite(tree, head),
            relation=tree.relations[head],
        )
        for place, head in enumerate(heads)
    )
    return found, inside


def _heads_clause(tree: Tree, token: int) -> bool:
    relation = tree.base[token]
    if tree.heads[token] < 0 or relation in _ALWAYS:
        return True
    if relation == "xcomp":
        return _has(tree, token, _SUBJECTS)
    return relation == "conj" and (
        tree.analysis.upos[token] in _VERBAL or _has(tree, token, _SUBJECTS | {"cop"})
    )


def _has(tree: Tree, token: int, relations: frozenset[str]) -> bool:
    return any(tree.base[child] in relations for child in tree.children[token])


def is_finite(tree: Tree, head: int) -> bool:
    """Whether a clause has a finite verb: its head, an auxiliary or a copula."""
    verbs = [child for child in tree.children[head] if tree.base[child] in ("aux", "cop")]
    features, tags = tree.analysis.features, tree.analysis.xpos
    return any(
        "VerbForm=Fin" in features[verb] or tags[verb] in _FINITE_TAGS for verb in (head, *verbs)
    )
