"""Grammatical functions, EMBED and ADJUNCT, from Universal Dependencies.

EMBED (Kennedy & Boguraev 1996): above the head, in its sentence, stands a nominal that it is
reached from by a prepositional modifier or a clause; a possessor is not embedded. ADJUNCT: inside
an adverbial phrase, or an adverbial clause without a finite verb, that opens its clause or is set
off by a comma. What follows the verb without a comma is not adjunct, nor is a *while* clause: the
figures that the paper prints for its examples come out so.
"""

from corefbench.preprocess.clauses import is_finite
from corefbench.preprocess.phrase import Function
from corefbench.preprocess.tree import Tree

_FUNCTIONS: dict[str, Function] = {"nsubj": "subject", "obj": "object", "iobj": "indirect"}
_OPENERS = frozenset({"punct", "cc", "mark", "discourse"})
_COMMAS = frozenset({",", ";", "–", "—", "--", "-", "(", ":"})


class Functions:
    """What is asked of the words of a tree, computed for all of them on the way from the roots."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        count = len(tree.heads)
        self.prepositions = _prepositions(tree)
        """For every token the word that introduces it as a prepositional phrase, else -1."""
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
                or (
                    relation == "nmod"
                    and self.prepositions[token] >= 0
                    and tree.relations[token] != "nmod:poss"
                )
            )
            self.adjunct[token] = self.adjunct[head] or (
                relation in ("obl", "advcl") and self._set_off(token)
            )

    def _set_off(self, token: int) -> bool:
        """Whether an adverbial opens its clause or has a comma beside it."""
        tree = self.tree
        if tree.relations[token] == "obl:agent":
            return False
        if tree.base[token] == "advcl" and is_finite(tree, token):
            return False
        head, words = tree.heads[token], tree.analysis.words
        start, end = tree.begin[token], tree.finish[token]
        if words[start] in _COMMAS or (start > 0 and words[start - 1] in _COMMAS):
            return True
        if token > head:
            return False
        siblings = (child for child in tree.children[head] if tree.base[child] not in _OPENERS)
        return next(siblings) == token or (end < len(words) and words[end] in _COMMAS)

    def function(self, token: int) -> Function:
        """The grammatical function of the phrase that a word heads."""
        tree = self.tree
        while tree.base[token] == "conj" and tree.heads[token] >= 0:
            token = tree.heads[token]
        relation = tree.base[token]
        if relation == "nsubj" and self._existential(token):
            return "existential"
        if relation in _FUNCTIONS:
            return _FUNCTIONS[relation]
        if tree.relations[token] == "nmod:poss":
            return "possessive"
        return "oblique" if self.prepositions[token] >= 0 else "other"

    def is_prepositional(self, token: int) -> bool:
        """Whether a preposition introduces the phrase that a word heads, or its first conjunct."""
        tree = self.tree
        while (
            self.prepositions[token] < 0 and tree.base[token] == "conj" and tree.heads[token] >= 0
        ):
            token = tree.heads[token]
        return self.prepositions[token] >= 0

    def _existential(self, token: int) -> bool:
        tree = self.tree
        head = tree.heads[token]
        return head >= 0 and any(
            tree.base[child] == "expl" and tree.analysis.words[child].lower() == "there"
            for child in tree.children[head]
        )


def _prepositions(tree: Tree) -> list[int]:
    """For every token its first preposition; the mark of the genitive is none."""
    found = [-1] * len(tree.heads)
    for token, relation in enumerate(tree.base):
        if relation == "case":
            head = tree.heads[token]
            if head > token and found[head] < 0 and tree.analysis.upos[token] != "PART":
                found[head] = token
    return found
