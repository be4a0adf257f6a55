"""Convert ClearNLP labels, which spaCy's English models have, to Universal Dependencies.

In ClearNLP prepositions govern their objects and *be* its predicate; in Universal Dependencies the
content word governs the function word. ClearNLP attaches conjuncts to each other in a chain, UD
attaches all to the first, and a conjunction to the conjunct that follows it.
"""

from collections.abc import Iterable, Sequence

_UNIVERSAL = {
    "ROOT": "root", "nsubjpass": "nsubj:pass", "csubjpass": "csubj:pass", "dobj": "obj",
    "auxpass": "aux:pass", "poss": "nmod:poss", "possessive": "case", "relcl": "acl:relcl",
    "rcmod": "acl:relcl", "vmod": "acl", "infmod": "acl", "partmod": "acl", "neg": "advmod",
    "prt": "compound:prt", "predet": "det:predet", "preconj": "cc:preconj", "nn": "compound",
    "number": "compound", "num": "nummod", "quantmod": "advmod", "intj": "discourse",
    "meta": "dep", "hmod": "compound", "hyph": "punct", "complm": "mark", "oprd": "xcomp",
    "acomp": "xcomp", "attr": "xcomp", "dative": "iobj", "npadvmod": "obl:unmarked",
    "tmod": "obl:unmarked", "npmod": "obl:unmarked", "pobj": "obl", "pcomp": "advcl",
    "prep": "advmod", "agent": "advmod",
}  # fmt: skip
_DISTINCTIVE = frozenset({"dobj", "pobj", "nsubjpass", "relcl", "attr", "npadvmod", "auxpass", "prep"})
_PREPOSITIONS = frozenset({"prep", "agent", "dative"})
_OBJECTS = ("pobj", "pcomp")
_PREDICATES = ("attr", "acomp")
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})


def is_clearnlp(labels: Iterable[str]) -> bool:
    """Return whether labels are of ClearNLP, not of Universal Dependencies."""
    return not _DISTINCTIVE.isdisjoint(labels)


class ClearNLPConverter:
    """A document's dependencies on their way to Universal Dependencies.

    >>> he_went_to_it = ClearNLPConverter(["he", "go", "to", "it"], ["PRON", "VERB", "ADP", "PRON"],
    ...                          [1, -1, 1, 2], ["nsubj", "ROOT", "prep", "pobj"])
    >>> he_went_to_it.universal()
    ([1, -1, 3, 1], ['nsubj', 'root', 'case', 'obl'])
    """

    def __init__(
        self, lemmas: Sequence[str], upos: Sequence[str], heads: Sequence[int], relations: Sequence[str]
    ) -> None:
        self.lemmas, self.upos = lemmas, upos
        self.heads, self.relations = list(heads), list(relations)
        self.children: list[list[int]] = [[] for _ in heads]
        for token, head in enumerate(heads):
            if head >= 0:
                self.children[head].append(token)

    def universal(self) -> tuple[list[int], list[str]]:
        """Return the governors and relations of Universal Dependencies."""
        # Prepositions come first, so that the later passes find content words as governors.
        order = self._bottom_up()
        for token in order:
            if self._is_preposition(token):
                self._preposition(token)
        for token in order:
            if self.lemmas[token] == "be" and self.relations[token] not in ("aux", "auxpass"):
                self._copula(token)
        # From the top down, so that a chain of conjuncts is cut at its first link.
        for token in reversed(order):
            if self.relations[token] == "conj":
                self._conjunct(token)
        for token in order:
            if self.relations[token] == "cc":
                self._conjunction(token)
        for token, relation in enumerate(self.relations):
            self.relations[token] = self._label(token, relation)
        return self.heads, self.relations

    def _bottom_up(self) -> list[int]:
        order = [token for token, head in enumerate(self.heads) if head < 0]
        for token in order:
            order.extend(self.children[token])
        return order[::-1]

    def _move(self, token: int, head: int, relation: str) -> None:
        before = self.heads[token]
        if before >= 0:
            self.children[before].remove(token)
        self.heads[token], self.relations[token] = head, relation
        if head >= 0:
            self.children[head].append(token)
            self.children[head].sort()

    def _is_preposition(self, token: int) -> bool:
        """Return whether a word governs what it introduces: *to*, the second of *on and off it*."""
        relation = self.relations[token]
        return relation in _PREPOSITIONS or (
            self.upos[token] in ("ADP", "SCONJ")
            and any(self.relations[child] in _OBJECTS for child in self.children[token])
        )

    def _preposition(self, token: int) -> None:
        """Attach the object to the preposition's governor, and the preposition to the object."""
        children = self.children[token]
        objects = [c for c in children if self.relations[c] in _OBJECTS]
        # "out of it": the object of the inner one was attached to the outer before.
        objects = objects or [c for c in children if self.relations[c].startswith("obl")]
        if not objects:
            return
        content, head, relation = objects[0], self.heads[token], self.relations[token]
        clausal = self.relations[content] == "pcomp"
        is_conjunct = self.relations[token] == "conj"
        self._move(content, head, self._role(head, relation, clausal))
        self._move(token, content, "mark" if clausal else "case")
        for child in list(self.children[token]):
            self._move(child, content, self.relations[child])
        if is_conjunct:
            self.relations[content] = "conj"

    def _role(self, head: int, relation: str, clausal: bool) -> str:
        nominal = head >= 0 and self.upos[head] in _NOMINAL
        if head < 0 or relation not in (*_PREPOSITIONS, "conj"):
            return relation
        if clausal:
            return "acl" if nominal else "advcl"
        return "obl:agent" if relation == "agent" else "nmod" if nominal else "obl"

    def _copula(self, token: int) -> None:
        """Make the predicate the governor, unless *there* makes it the subject."""
        children = self.children[token]
        if any(self.relations[child] == "expl" for child in children):
            for child in children:
                if self.relations[child] == "attr":
                    self.relations[child] = "nsubj"
            return
        predicates = [child for child in children if self.relations[child] in _PREDICATES]
        if not predicates:
            return
        predicate = predicates[0]
        self._move(predicate, self.heads[token], self.relations[token])
        for child in list(self.children[token]):
            self._move(child, predicate, self.relations[child])
        self._move(token, predicate, "cop")

    def _conjunct(self, token: int) -> None:
        """Attach a conjunct of a conjunct to the first; one of a preposition, to its object."""
        head = self.heads[token]
        while head >= 0 and self.relations[head] in ("case", "mark") and self.heads[head] != token:
            head = self.heads[head]
        while head >= 0 and self.relations[head] == "conj":
            head = self.heads[head]
        if head >= 0 and head != token:
            self._move(token, head, "conj")

    def _conjunction(self, token: int) -> None:
        """Attach a conjunction to the conjunct after it."""
        head = self.heads[token]
        if head < 0:
            return
        siblings = [*self.children[head], *self._family(head)]
        after = [c for c in siblings if c > token and self.relations[c] == "conj"]
        if after and token not in self.children[min(after)]:
            self._move(token, min(after), "cc")

    def _family(self, head: int) -> list[int]:
        """Return the siblings of a later conjunct."""
        above = self.heads[head]
        return self.children[above] if self.relations[head] == "conj" and above >= 0 else []

    def _label(self, token: int, relation: str) -> str:
        head = self.heads[token]
        if head < 0:
            return "root"
        if relation in ("npadvmod", "tmod", "npmod") and self.upos[head] in _NOMINAL:
            return "nmod:unmarked"
        if relation == "nmod" and self.upos[token] in ("ADJ", "NUM"):
            return "amod"
        return _UNIVERSAL.get(relation, relation)
