"""A resolver for corefbench: the first phrase of the sentence before that agrees."""

from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import Decision, Resolution, ResolverCard


class PreviousSentence:
    """Takes the first phrase of the previous sentence that agrees with the pronoun."""

    card = ResolverCard(
        name="previous-sentence",
        title="Previous sentence",
        description="The first noun phrase of the sentence before that agrees.",
    )

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        decisions = []
        for pronoun in discourse.anaphors:
            before = discourse.by_sentence[pronoun.sentence - 1] if pronoun.sentence else ()
            agreeing = (p for p in before if not pronoun.agreement.clash(p.agreement))
            found = next(agreeing, None)
            decisions.append(
                Decision(anaphor=pronoun.index, antecedent=found.index if found else None)
            )
        return Resolution(resolver=self.card.name, discourse=discourse, decisions=tuple(decisions))
