"""The baselines that take the nearest phrase, or the nearest subject, that agrees."""

from collections.abc import Iterator
from typing import ClassVar

from corefbench.errors import UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers import signature
from corefbench.resolvers.base import Parameter, ResolverCard
from corefbench.resolvers.resolution import Candidate, Decision, Resolution
from corefbench.resolvers.rules.binding import Binding
from corefbench.resolvers.rules.candidates import REFERENCE_WINDOW, judged, preceding, reason

_PARAMETERS = (
    Parameter(
        name="binding",
        default=True,
        meaning="whether binding excludes candidates, as in Tetreault (2001)",
    ),
    Parameter(
        name="window",
        default=0,
        meaning="how many sentences to look back; 0: to the beginning of the text",
    ),
)


class MostRecent:
    """The nearest preceding phrase that agrees in person, number and gender."""

    card = ResolverCard(
        name="most-recent",
        title="Most recent",
        description="The nearest preceding noun phrase that agrees with the pronoun.",
        parameters=_PARAMETERS,
        cites=("mitkov1998", "tetreault2001"),
    )
    rule: ClassVar[str] = "most recent"

    def __init__(self, *, binding: bool = True, window: int = 0) -> None:
        if window < 0:
            raise UsageError("a window cannot be negative", found=str(window), expected="0 or more")
        self.binding = binding
        self.window = window

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        binding = Binding(discourse) if self.binding else None
        return Resolution(
            resolver=signature(self),
            discourse=discourse,
            decisions=tuple(self._decide(discourse, one, binding) for one in discourse.anaphors),
        )

    def eligible(self, phrase: Phrase) -> bool:
        """Whether the baseline would take such a phrase at all."""
        return True

    def _decide(self, discourse: Discourse, anaphor: Phrase, binding: Binding | None) -> Decision:
        candidates = self._candidates(discourse, anaphor, binding)
        chosen = next((one.phrase for one in reversed(candidates) if not one.dropped), None)
        return Decision(
            anaphor=anaphor.index,
            antecedent=chosen,
            candidates=tuple(candidates),
            rule=self.rule if chosen is not None else "no candidate",
        )

    def _candidates(
        self, discourse: Discourse, anaphor: Phrase, binding: Binding | None
    ) -> list[Candidate]:
        """Those of the reference window or, where none of them will do, of all up to one that does.

        To list the whole text before every pronoun would take quadratic space.
        """
        near = min(self.window or REFERENCE_WINDOW, REFERENCE_WINDOW)
        window = filter(self.eligible, preceding(discourse, anaphor, near))
        found = judged(anaphor, window, binding)
        if any(not one.dropped for one in found):
            return found
        return judged(anaphor, self._until(discourse, anaphor, binding), binding)

    def _until(
        self, discourse: Discourse, anaphor: Phrase, binding: Binding | None
    ) -> Iterator[Phrase]:
        for phrase in filter(self.eligible, preceding(discourse, anaphor, self.window or None)):
            yield phrase
            if not reason(anaphor, phrase, binding):
                return


class MostRecentSubject(MostRecent):
    """The nearest preceding subject that agrees; no answer where there is none."""

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
