"""The baseline that links nouns with the same head word and, if asked to, like pronouns."""

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers import signature
from corefbench.resolvers.base import Parameter, ResolverCard
from corefbench.resolvers.resolution import Decision, Resolution


class SameHead:
    """Phrases corefer if their heads are the same lemma."""

    card = ResolverCard(
        name="same-head",
        title="Same head",
        description="Noun phrases corefer if their heads are the same lemma.",
        resolves="chains",
        parameters=(
            Parameter(
                name="pronouns",
                default=False,
                meaning="whether pronouns of one person, number and gender corefer too",
            ),
        ),
        cites=("soon2001",),
    )

    def __init__(self, *, pronouns: bool = False) -> None:
        self.pronouns = pronouns

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        last: dict[str, int] = {}
        decisions, mentions = [], []
        for phrase in discourse.phrases:
            if phrase.pleonastic or phrase.coordination:
                continue
            if phrase.pronoun is not None and not self.pronouns:
                mentions.append(phrase.index)
                continue
            key = _key(discourse, phrase)
            mentions.append(phrase.index)
            decisions.append(
                Decision(
                    anaphor=phrase.index,
                    antecedent=last.get(key),
                    rule="same head" if key in last else "new head",
                )
            )
            last[key] = phrase.index
        return Resolution(
            resolver=signature(self),
            discourse=discourse,
            decisions=tuple(decisions),
            mentions=tuple(mentions),
        )


def _key(discourse: Discourse, phrase: Phrase) -> str:
    """The lemma; of pronouns one for all forms of *he*, *she*, *it*, *they* …"""
    if phrase.pronoun is None:
        return discourse.analysis.lemmas[phrase.head].lower()
    agreement = phrase.pronoun.agreement
    return f"pronoun {agreement.person} {agreement.number} {agreement.gender}"
