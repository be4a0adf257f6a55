"""Baselines: most recent, random, same head, singletons, all in one."""

from collections.abc import Iterator
from random import Random
from typing import ClassVar

from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.records import Record
from corefbench.resolvers import signature
from corefbench.resolvers.base import ResolverCard, check_parameters, make_parameters
from corefbench.resolvers.resolution import Candidate, Decision, Resolution
from corefbench.resolvers.rules.binding import Binding
from corefbench.resolvers.rules.candidates import (
    REFERENCE_WINDOW,
    candidates_in_window,
    drop_reason,
    iter_preceding,
    judge_candidates,
)

_PARAMETERS = make_parameters(
    ("", "binding", True, "whether binding excludes candidates, as in Tetreault (2001)"),
    ("", "window", 0, "how many sentences to look back; 0: to the beginning of the text"),
)


class MostRecent(Record, frozen=True, kw_only=True):
    """The nearest preceding phrase that agrees in person, number and gender."""

    card = ResolverCard(
        name="most-recent",
        title="Most recent",
        description="The nearest preceding noun phrase that agrees with the pronoun.",
        parameters=_PARAMETERS,
        cites=("mitkov1998", "tetreault2001"),
    )
    rule: ClassVar[str] = "most recent"

    binding: bool = True
    window: int = 0

    def __post_init__(self) -> None:
        check_parameters(self)

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        binding = Binding(discourse) if self.binding else None
        return Resolution(
            resolver=signature(self),
            discourse=discourse,
            decisions=tuple(self._decide(discourse, anaphor, binding) for anaphor in discourse.anaphors),
        )

    def eligible(self, phrase: Phrase) -> bool:
        """Return whether the baseline considers such a phrase."""
        return True

    def _decide(self, discourse: Discourse, anaphor: Phrase, binding: Binding | None) -> Decision:
        candidates = self._candidates(discourse, anaphor, binding)
        chosen = next((candidate.phrase for candidate in reversed(candidates) if not candidate.dropped), None)
        return Decision(
            anaphor=anaphor.index,
            antecedent=chosen,
            candidates=tuple(candidates),
            rule=self.rule if chosen is not None else "no candidate",
        )

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


class MostRecentSubject(MostRecent, frozen=True, kw_only=True):
    """The nearest preceding subject that agrees; no answer if there is none."""

    card = ResolverCard(
        name="most-recent-subject",
        title="Most recent subject",
        description="The nearest preceding subject that agrees with the pronoun.",
        parameters=_PARAMETERS,
        cites=("mitkov1998",),
    )
    rule: ClassVar[str] = "most recent subject"

    def eligible(self, phrase: Phrase) -> bool:
        """Whether it is a subject."""
        return phrase.function == "subject"


class RandomChoice(Record, frozen=True, kw_only=True):
    """Any of the agreeing candidates of the window, with equal probability.

    The draw depends on the seed and the document's name only, not on other documents.
    """

    card = ResolverCard(
        name="random",
        title="Random",
        description="One of the preceding noun phrases that agree, drawn with a fixed seed.",
        parameters=make_parameters(
            ("", "seed", 0, "seed of the random choices"),
            ("", "window", REFERENCE_WINDOW, "how many sentences before the pronoun's are looked at"),
            ("", "binding", True, "whether binding excludes candidates"),
        ),
    )

    seed: int = 0
    window: int = REFERENCE_WINDOW
    binding: bool = True

    def __post_init__(self) -> None:
        check_parameters(self, seed=float("-inf"))

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        draw = Random(f"{self.seed} {discourse.analysis.name}")
        binding = Binding(discourse) if self.binding else None
        return Resolution(
            resolver=signature(self),
            discourse=discourse,
            decisions=tuple(self._decide(discourse, anaphor, binding, draw) for anaphor in discourse.anaphors),
        )

    def _decide(self, discourse: Discourse, anaphor: Phrase, binding: Binding | None, draw: Random) -> Decision:
        candidates = candidates_in_window(discourse, anaphor, self.window, binding)
        allowed = [candidate.phrase for candidate in candidates if not candidate.dropped]
        return Decision(
            anaphor=anaphor.index,
            antecedent=draw.choice(allowed) if allowed else None,
            candidates=tuple(candidates),
            rule="random" if allowed else "no candidate",
            confidence=1 / len(allowed) if allowed else None,
        )


class SameHead(Record, frozen=True, kw_only=True):
    """Phrases corefer if their heads are the same lemma."""

    card = ResolverCard(
        name="same-head",
        title="Same head",
        description="Noun phrases corefer if their heads are the same lemma.",
        resolves="chains",
        parameters=make_parameters(
            ("", "pronouns", False, "whether pronouns of one person, number and gender corefer too")
        ),
        cites=("soon2001",),
    )

    pronouns: bool = False

    def __post_init__(self) -> None:
        check_parameters(self)

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
            decisions.append(
                Decision(
                    anaphor=phrase.index, antecedent=last.get(key), rule="same head" if key in last else "new head"
                )
            )
            last[key] = phrase.index
        return Resolution(
            resolver=signature(self), discourse=discourse, decisions=tuple(decisions), mentions=tuple(mentions)
        )


def _head_key(discourse: Discourse, phrase: Phrase) -> str:
    """Return the lemma; one key for all forms of *he*, of *she*, of *it*, of *they* …"""
    if phrase.pronoun is None:
        return discourse.analysis.lemmas[phrase.head].lower()
    agreement = phrase.pronoun.agreement
    return f"pronoun {agreement.person} {agreement.number} {agreement.gender}"


class Singletons:
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
        return Resolution(
            resolver=signature(self), discourse=discourse, decisions=(), mentions=tuple(range(len(discourse.phrases)))
        )


class AllInOne:
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
        return Resolution(
            resolver=signature(self),
            discourse=discourse,
            decisions=(),
            links=tuple((number - 1, number) for number in every[1:]),
            mentions=tuple(every),
        )
