"""Baselines: most recent, random, same head, singletons, all in one."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import ClassVar

from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.resolvers.base import Candidate, Decision, Resolution, ResolverCard, RuleResolver, parameter
from corefbench.resolvers.rules.binding import Binding
from corefbench.resolvers.rules.candidates import (
    REFERENCE_WINDOW,
    candidates_in_window,
    drop_reason,
    iter_preceding,
    judge_candidates,
)


class MostRecent(RuleResolver):
    """The nearest preceding phrase that agrees in person, number and gender."""

    card = ResolverCard(
        name="most-recent",
        title="Most recent",
        description="The nearest preceding noun phrase that agrees with the pronoun.",
        cites=("mitkov1998", "tetreault2001"),
    )
    rule: ClassVar[str] = "most recent"

    binding = parameter("", True, "whether binding excludes candidates, as in Tetreault (2001)")
    window = parameter("", 0, "how many sentences to look back; 0: to the beginning of the text")

    def decisions(self, discourse: Discourse) -> Iterator[Decision]:
        """Choose the nearest candidate of each anaphor that was not dropped."""
        binding = Binding(discourse) if self.binding else None
        for anaphor in discourse.anaphors:
            candidates = self._candidates(discourse, anaphor, binding)
            chosen = next((candidate.phrase for candidate in reversed(candidates) if not candidate.dropped), None)
            yield Decision(
                anaphor=anaphor.index,
                antecedent=chosen,
                candidates=tuple(candidates),
                rule=self.rule if chosen is not None else "no candidate",
            )

    def eligible(self, phrase: Phrase) -> bool:
        """Return whether the baseline considers such a phrase."""
        return True

    def _candidates(self, discourse: Discourse, anaphor: Phrase, binding: Binding | None) -> list[Candidate]:
        """Return the candidates of the reference window; if all are dropped, search further back.

        Listing the whole text before every pronoun would take quadratic space.
        """
        reach = min(self.window or REFERENCE_WINDOW, REFERENCE_WINDOW)
        window = filter(self.eligible, iter_preceding(discourse, anaphor, reach))
        candidates = judge_candidates(anaphor, window, binding)
        if any(not candidate.dropped for candidate in candidates):
            return candidates
        return judge_candidates(anaphor, self._until(discourse, anaphor, binding), binding)

    def _until(self, discourse: Discourse, anaphor: Phrase, binding: Binding | None) -> Iterator[Phrase]:
        for phrase in filter(self.eligible, iter_preceding(discourse, anaphor, self.window or None)):
            yield phrase
            if not drop_reason(anaphor, phrase, binding):
                return


class MostRecentSubject(MostRecent):
    """The nearest preceding subject that agrees; no answer if there is none."""

    card = ResolverCard(
        name="most-recent-subject",
        title="Most recent subject",
        description="The nearest preceding subject that agrees with the pronoun.",
        cites=("mitkov1998",),
    )
    rule: ClassVar[str] = "most recent subject"

    def eligible(self, phrase: Phrase) -> bool:
        """Whether it is a subject."""
        return phrase.function == "subject"


class RandomChoice(RuleResolver):
    """Any of the agreeing candidates of the window, with equal probability.

    The draw depends on the seed and the document's name only, not on other documents.
    """

    card = ResolverCard(
        name="random",
        title="Random",
        description="One of the preceding noun phrases that agree, drawn with a fixed seed.",
    )

    seed = parameter("", 0, "seed of the random choices", minimum=float("-inf"))
    window = parameter("", REFERENCE_WINDOW, "how many sentences before the pronoun's are looked at")
    binding = parameter("", True, "whether binding excludes candidates")

    def decisions(self, discourse: Discourse) -> Iterator[Decision]:
        """Choose one of the candidates of each anaphor."""
        draw = Random(f"{self.seed} {discourse.analysis.name}")
        binding = Binding(discourse) if self.binding else None
        for anaphor in discourse.anaphors:
            candidates = candidates_in_window(discourse, anaphor, self.window, binding)
            allowed = [candidate.phrase for candidate in candidates if not candidate.dropped]
            yield Decision(
                anaphor=anaphor.index,
                antecedent=draw.choice(allowed) if allowed else None,
                candidates=tuple(candidates),
                rule="random" if allowed else "no candidate",
                confidence=1 / len(allowed) if allowed else None,
            )


class SameHead(RuleResolver):
    """Phrases corefer if their heads are the same lemma."""

    card = ResolverCard(
        name="same-head",
        title="Same head",
        description="Noun phrases corefer if their heads are the same lemma.",
        resolves="chains",
        cites=("soon2001",),
    )

    pronouns = parameter("", False, "whether pronouns of one person, number and gender corefer too")

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        last: dict[str, int] = {}
        decisions, mentions = [], []
        for phrase in discourse.phrases:
            if phrase.pleonastic or phrase.coordination:
                continue
            mentions.append(phrase.index)
            if phrase.pronoun is not None and not self.pronouns:
                continue
            key = _head_key(discourse, phrase)
            rule = "same head" if key in last else "new head"
            decisions.append(Decision(anaphor=phrase.index, antecedent=last.get(key), rule=rule))
            last[key] = phrase.index
        return self.resolution(discourse, decisions, mentions=mentions)


def _head_key(discourse: Discourse, phrase: Phrase) -> str:
    """Return the lemma; one key for all forms of *he*, of *she*, of *it*, of *they* …"""
    if phrase.pronoun is None:
        return discourse.analysis.lemmas[phrase.head].lower()
    agreement = phrase.pronoun.agreement
    return f"pronoun {agreement.person} {agreement.number} {agreement.gender}"


class Singletons(RuleResolver):
    """Every phrase is an entity of its own."""

    card = ResolverCard(
        name="singletons",
        title="SINGLETONS",
        description="Every noun phrase is an entity of its own.",
        resolves="chains",
        cites=("recasens2010semeval",),
    )

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        return self.resolution(discourse, (), mentions=range(len(discourse.phrases)))


class AllInOne(RuleResolver):
    """All phrases are one entity."""

    card = ResolverCard(
        name="all-in-one",
        title="ALL-IN-ONE",
        description="All noun phrases of a document are one entity.",
        resolves="chains",
        cites=("recasens2010semeval",),
    )

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        every = range(len(discourse.phrases))
        return self.resolution(discourse, (), links=pairwise(every), mentions=every)
