"""What is known of a phrase once its place is: kind, agreement, function, clause."""

from corefbench.language.agreement import Agreement
from corefbench.language.pronouns import Pronoun, lookup
from corefbench.preprocess.agreement import agreement_of
from corefbench.preprocess.functions import Functions
from corefbench.preprocess.name_types import agreed_types
from corefbench.preprocess.noun_phrases import Found
from corefbench.preprocess.person_names import is_name
from corefbench.preprocess.phrase import Definiteness, Kind, Phrase
from corefbench.preprocess.pleonastic import is_pleonastic
from corefbench.preprocess.tree import Tree

_DEFINITE = frozenset({"the", "this", "that", "these", "those", "both"})
_RECIPROCAL = frozenset({"each other", "one another"})


class Phrases:
    """Describes the phrases of one document."""

    def __init__(self, tree: Tree, clause_of: list[int]) -> None:
        self.tree = tree
        self.analysis = tree.analysis
        self.clause_of = clause_of
        self.functions = Functions(tree)
        self.entity_of = agreed_types(self.analysis, _entities(tree))

    def phrase(self, index: int, place: Found, parent: int) -> Phrase:
        """The phrase that stands at a place."""
        head = place.head
        pronoun = self.pronoun(place)
        kind = self.kind(place, pronoun)
        entity = self.entity_of.get(head, "")
        return Phrase(
            index=index,
            start=place.start,
            end=place.end,
            core=place.core,
            head=head,
            sentence=self.tree.sentence[head],
            kind=kind,
            pronoun=pronoun,
            agreement=self.agreement(place, pronoun, entity),
            function=self.functions.function(head),
            embedded=self.functions.embedded[head],
            adjunct=self.functions.adjunct[head],
            prepositional=self.functions.is_prepositional(head),
            definiteness=self.definiteness(head) if kind == "nominal" else "neither",
            clause=self.clause_of[head],
            parent=parent,
            coordination=place.coordination,
            pleonastic=pronoun is not None
            and pronoun.form == "it"
            and is_pleonastic(self.analysis, head),
            entity=entity,
        )

    def pronoun(self, place: Found) -> Pronoun | None:
        """The row of the pronoun table, where the phrase is nothing but a pronoun."""
        if place.coordination or self.analysis.upos[place.head] not in ("PRON", "DET", "ADJ"):
            return None
        words, head = self.analysis.words, place.head
        after = words[head + 1] if head + 1 < len(words) else None
        word = words[head].lower()
        if after is not None and (pair := f"{word} {after.lower()}") in _RECIPROCAL:
            return lookup(pair)
        if head and (pair := f"{words[head - 1].lower()} {word}") in _RECIPROCAL:
            return lookup(pair)
        return lookup(word, self.analysis.xpos[head], after)

    def kind(self, place: Found, pronoun: Pronoun | None) -> Kind:
        if pronoun is not None:
            return "pronoun"
        named = not place.coordination and is_name(self.analysis, place.head)
        return "name" if named else "nominal"

    def agreement(self, place: Found, pronoun: Pronoun | None, entity: str) -> Agreement:
        if pronoun is not None:
            return pronoun.agreement
        return agreement_of(
            self.analysis, place.head, place.start, place.end, entity, place.coordination
        )

    def definiteness(self, head: int) -> Definiteness:
        """Definite by article, demonstrative or possessive (Mitkov 1998), else indefinite."""
        tree, lemmas = self.tree, self.analysis.words
        for child in tree.children[head]:
            if tree.relations[child] == "nmod:poss":
                return "definite"
            if tree.base[child] == "det" and lemmas[child].lower() in _DEFINITE:
                return "definite"
        return "indefinite"


def _entities(tree: Tree) -> dict[int, str]:
    """The type of the smallest entity that each token is in."""
    found: dict[int, str] = {}
    for entity in sorted(tree.analysis.entities, key=lambda e: e.start - e.end):
        found.update(dict.fromkeys(range(entity.start, entity.end), entity.type))
    return found
