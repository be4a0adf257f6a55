"""The backward-looking center of a clause, as CogNIAC's seventh rule asks for it."""

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.entities import Entities, Entity


class BackwardCenter:
    """Cb: the highest-ranked entity of the prior finite clause that a pronoun of the clause names.

    The subject ranks above all else; between other phrases there is no order, so that two of them
    make no center (Baldwin 1997, note 3).
    """

    def __init__(self, discourse: Discourse) -> None:
        self._clauses = discourse.clauses
        self._finite = [place for place, clause in enumerate(self._clauses) if clause.finite]
        self._prior = dict(zip(self._finite[1:], self._finite, strict=False))
        self._phrases: dict[int, list[Phrase]] = {}
        for phrase in discourse.phrases:
            self._phrases.setdefault(self.clause_of(phrase), []).append(phrase)

    def clause_of(self, phrase: Phrase) -> int:
        """The innermost finite clause that a phrase is in, -1 for none."""
        clause = phrase.clause
        while clause >= 0 and not self._clauses[clause].finite:
            clause = self._clauses[clause].parent
        return clause

    def before(self, anaphor: Phrase, entities: Entities) -> Entity | None:
        """The center of an anaphor's clause, by the pronouns before it that are resolved."""
        clause = self.clause_of(anaphor)
        prior = self._prior.get(clause)
        if prior is None:
            return None
        realised = [
            entity
            for phrase in self._phrases.get(clause, ())
            if phrase.index < anaphor.index
            and phrase.anaphoric
            and (entity := entities.of(phrase)) is not None
            and len(entity.mentions) > 1
        ]
        subjects, others = self._ranked(prior, entities, realised)
        best = subjects or others
        return best[0] if len(best) == 1 else None

    def _ranked(
        self, prior: int, entities: Entities, realised: list[Entity]
    ) -> tuple[list[Entity], list[Entity]]:
        """Of the prior clause's entities that are realised again the subjects, and the others."""
        subjects: list[Entity] = []
        others: list[Entity] = []
        for phrase in self._phrases.get(prior, ()):
            entity = entities.of(phrase)
            if entity is None or not any(entity is one for one in realised):
                continue
            row = subjects if phrase.function == "subject" else others
            if not any(entity is one for one in row):
                row.append(entity)
        return subjects, others
