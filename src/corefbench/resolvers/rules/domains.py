"""Who is an argument, an adjunct or a determiner of what: the relations that binding is stated in.

Lappin & Leass (1994) read them off a slot grammar; here they are read off Universal Dependencies.
Every token that heads a noun phrase has *places*: pairs of a governor and a slot. Conjuncts and
appositions take the places of what they hang on. Subjects that are understood count, as they do in
a slot grammar: of conjoined verbs, infinitives, participles and, through the relative pronoun, of
relative clauses.
"""

from corefbench.preprocess.tree import Tree
from corefbench.resolvers.rules.slots import Places, Slot, slot_of

_PARTICIPLES = frozenset(("VBG", "VBN"))
_RELATIVE_TAGS = frozenset(("WP", "WDT"))
_CONJUNCT = frozenset(("conj",))
_SHARING = frozenset(("conj", "appos"))
_SUBJECTLESS = frozenset(("conj", "xcomp", "advcl", "acl"))
DEEPEST = 100
"""No sentence that anybody wrote is deeper; what a parser makes of noise may be."""
_NONE: Places = {}


class Domains:
    """The places of all noun phrase heads of a document."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._places: dict[int, Places] = {}
        self._subjects: dict[int, int] = {}
        self._objects: dict[int, int] = {}
        self._determined: set[int] = set()
        self._overt()
        for token in tree.order:
            if tree.base[token] in _SUBJECTLESS and token not in self._subjects:
                subject = self._understood(token)
                if subject >= 0:
                    self._subjects[token] = subject
                    self._places.setdefault(subject, {}).setdefault(token, Slot.SUBJECT)

    def places(self, token: int) -> Places:
        """The places of a noun phrase's head: its own, or those of what it is a conjunct of."""
        return self._places.get(self._anchor(token, _SHARING), _NONE)

    def coordination(self, token: int) -> int:
        """The first conjunct of the coordination that a token is in, or itself."""
        return self._anchor(token, _CONJUNCT)

    def owned(self, noun: int) -> bool:
        """Whether a noun has a possessor."""
        return noun in self._determined

    def is_within(self, token: int, head: int) -> bool:
        """Whether a token depends on a head, directly or not; what is conjoined to it does not."""
        heads, base = self.tree.heads, self.tree.base
        for _ in range(DEEPEST):
            governor = heads[token]
            if governor == head:
                return base[token] not in ("conj", "parataxis")
            if governor < 0:
                return False
            token = governor
        return False

    def _anchor(self, token: int, relations: frozenset[str]) -> int:
        heads, base = self.tree.heads, self.tree.base
        for _ in range(DEEPEST):
            if base[token] not in relations or heads[token] < 0:
                break
            token = heads[token]
        return token

    def _overt(self) -> None:
        """Note the places that words fill."""
        slots = {relation: slot_of(relation) for relation in set(self.tree.relations)}
        for token, relation in enumerate(self.tree.relations):
            slot, head = slots[relation], self.tree.heads[token]
            if slot is not None and head >= 0:
                self._note(token, head, slot)

    def _note(self, token: int, head: int, slot: Slot) -> None:
        stands_for = self._antecedent(token, head)
        self._places.setdefault(stands_for, {}).setdefault(head, slot)
        if slot is Slot.SUBJECT:
            self._subjects.setdefault(head, stands_for)
        elif slot is Slot.OBJECT:
            self._objects.setdefault(head, stands_for)
        elif slot is Slot.DETERMINER:
            self._determined.add(head)

    def _antecedent(self, token: int, clause: int) -> int:
        """The noun that a relative pronoun in a relative clause stands for, or the token itself."""
        tree = self.tree
        is_relative = tree.analysis.xpos[token] in _RELATIVE_TAGS and tree.base[clause] == "acl"
        return tree.heads[clause] if is_relative else token

    def _understood(self, clause: int) -> int:
        """The subject of a clause that has none, once that of its governor is known; or -1."""
        governor, relation = self.tree.heads[clause], self.tree.base[clause]
        analysis = self.tree.analysis
        if relation == "acl":
            return governor if analysis.xpos[clause] in _PARTICIPLES else -1
        by_object = relation == "xcomp" and analysis.lemmas[governor] != "promise"
        if by_object and governor in self._objects:
            return self._objects[governor]
        return self._subjects.get(governor, -1)
