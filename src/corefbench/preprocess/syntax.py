"""Clauses and grammatical functions from Universal Dependencies.

EMBED (Kennedy & Boguraev 1996) is true of a head below a nominal of its sentence, through a
prepositional modifier or a clause; a possessor is not embedded. ADJUNCT is true inside an adverbial
phrase, or an adverbial clause without a finite verb, that opens its clause or is set off by a
comma. What follows the verb without a comma is not an adjunct, nor is a *while* clause: this
reproduces the figures that the paper prints for its examples.
"""

from corefbench.preprocess.discourse import Clause, Function
from corefbench.preprocess.tree import Tree

_CLAUSAL_RELATIONS = frozenset({"root", "ccomp", "advcl", "acl", "parataxis", "csubj"})
_SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
_FINITE_TAGS = frozenset({"VBD", "VBZ", "VBP", "MD"})
_VERBAL = frozenset({"VERB", "AUX"})
_FUNCTION_BY_RELATION: dict[str, Function] = {"nsubj": "subject", "obj": "object", "iobj": "indirect"}
_OPENERS = frozenset({"punct", "cc", "mark", "discourse"})
_COMMAS = frozenset({",", ";", "–", "—", "--", "-", "(", ":"})


def find_clauses(tree: Tree) -> tuple[tuple[Clause, ...], list[int]]:
    """Return the clauses in the order of their heads, and the innermost clause of every token.

    A clause is headed by a root, a complement, adverbial, adnominal or parenthetical clause, an
    open complement with its own subject, or a verb or predicate coordinated with one of these.
    """
    heads = sorted(token for token in tree.order if _heads_clause(tree, token))
    number = {head: index for index, head in enumerate(heads)}
    clause_of = [-1] * len(tree.heads)
    parent = [-1] * len(heads)
    for token in tree.order:
        above = clause_of[tree.heads[token]] if tree.heads[token] >= 0 else -1
        own_clause = number.get(token)
        if own_clause is not None:
            parent[own_clause], clause_of[token] = above, own_clause
        else:
            clause_of[token] = above
    clauses = tuple(
        Clause(
            head=head,
            start=tree.begin[head],
            end=tree.finish[head],
            sentence=tree.sentence[head],
            parent=parent[index],
            finite=is_finite(tree, head),
            relation=tree.relations[head],
        )
        for index, head in enumerate(heads)
    )
    return clauses, clause_of


def _heads_clause(tree: Tree, token: int) -> bool:
    relation = tree.base[token]
    if tree.heads[token] < 0 or relation in _CLAUSAL_RELATIONS:
        return True
    if relation == "xcomp":
        return _has_dependent(tree, token, _SUBJECTS)
    return relation == "conj" and (
        tree.analysis.upos[token] in _VERBAL or _has_dependent(tree, token, _SUBJECTS | {"cop"})
    )


def _has_dependent(tree: Tree, token: int, relations: frozenset[str]) -> bool:
    return any(tree.base[child] in relations for child in tree.children[token])


def is_finite(tree: Tree, head: int) -> bool:
    """Return whether a clause has a finite verb: its head, an auxiliary or a copula."""
    verbs = [child for child in tree.children[head] if tree.base[child] in ("aux", "cop")]
    features, tags = tree.analysis.features, tree.analysis.xpos
    return any("VerbForm=Fin" in features[verb] or tags[verb] in _FINITE_TAGS for verb in (head, *verbs))


class GrammaticalFunctions:
    """Functions and flags of all words, computed from the roots down."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        count = len(tree.heads)
        self.prepositions = _find_prepositions(tree)
        """For every token the preposition that introduces it, else -1."""
        self.embedded = [False] * count
        self.adjunct = [False] * count
        heads, base = tree.heads, tree.base
        for token in tree.order:
            head = heads[token]
            if head < 0:
                continue
            relation = base[token]
            self.embedded[token] = (
                self.embedded[head]
                or relation == "acl"
                or (relation == "nmod" and self.prepositions[token] >= 0 and tree.relations[token] != "nmod:poss")
            )
            self.adjunct[token] = self.adjunct[head] or (relation in ("obl", "advcl") and self._set_off(token))

    def _set_off(self, token: int) -> bool:
        """Return whether an adverbial opens its clause or is next to a comma."""
        tree = self.tree
        if tree.relations[token] == "obl:agent":
            return False
        if tree.base[token] == "advcl" and is_finite(tree, token):
            return False
        head, words = tree.heads[token], tree.analysis.words
        start, end = tree.begin[token], tree.finish[token]
        if words[start] in _COMMAS or (start > 0 and words[start - 1] in _COMMAS):
            return True
        # After the verb only a comma makes an adjunct, which was checked above.
        if token > head:
            return False
        siblings = (child for child in tree.children[head] if tree.base[child] not in _OPENERS)
        return next(siblings) == token or (end < len(words) and words[end] in _COMMAS)

    def function(self, token: int) -> Function:
        """Return the grammatical function of the phrase that a word heads."""
        tree = self.tree
        while tree.base[token] == "conj" and tree.heads[token] >= 0:
            token = tree.heads[token]
        relation = tree.base[token]
        if relation == "nsubj" and self._existential(token):
            return "existential"
        if relation in _FUNCTION_BY_RELATION:
            return _FUNCTION_BY_RELATION[relation]
        if tree.relations[token] == "nmod:poss":
            return "possessive"
        return "oblique" if self.prepositions[token] >= 0 else "other"

    def is_prepositional(self, token: int) -> bool:
        """Return whether a preposition introduces the phrase of a word, or its first conjunct."""
        tree = self.tree
        while self.prepositions[token] < 0 and tree.base[token] == "conj" and tree.heads[token] >= 0:
            token = tree.heads[token]
        return self.prepositions[token] >= 0

    def _existential(self, token: int) -> bool:
        tree = self.tree
        head = tree.heads[token]
        return head >= 0 and any(
            tree.base[child] == "expl" and tree.analysis.words[child].lower() == "there"
            for child in tree.children[head]
        )


def _find_prepositions(tree: Tree) -> list[int]:
    """Return the first preposition of every token, else -1; genitive markers do not count."""
    prepositions = [-1] * len(tree.heads)
    for token, relation in enumerate(tree.base):
        if relation == "case":
            head = tree.heads[token]
            if head > token and prepositions[head] < 0 and tree.analysis.upos[token] != "PART":
                prepositions[head] = token
    return prepositions
