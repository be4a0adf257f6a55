"""The baseline that draws one of the candidates."""

from random import Random

from corefbench.errors import UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers import signature
from corefbench.resolvers.base import Parameter, ResolverCard
from corefbench.resolvers.resolution import Decision, Resolution
from corefbench.resolvers.rules.binding import Binding
from corefbench.resolvers.rules.candidates import REFERENCE_WINDOW, candidates_in


class RandomChoice:
    """Any of the candidates of the window that agree, each as likely as the other.

    The draw depends on the seed and the document's name only, not on other documents.
    """

    card = ResolverCard(
        name="random",
        title="Random",
        description="One of the preceding noun phrases that agree, drawn with a fixed seed.",
        parameters=(
            Parameter(name="seed", default=0, meaning="what the draws begin from"),
            Parameter(
                name="window",
                default=REFERENCE_WINDOW,
                meaning="how many sentences before the pronoun's are looked at",
            ),
            Parameter(name="binding", default=True, meaning="whether binding excludes candidates"),
        ),
    )

    def __init__(
        self, *, seed: int = 0, window: int = REFERENCE_WINDOW, binding: bool = True
    ) -> None:
        if window < 0:
            raise UsageError("a window cannot be negative", found=str(window), expected="0 or more")
        self.seed = seed
        self.window = window
        self.binding = binding

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        draw = Random(f"{self.seed} {discourse.analysis.name}")
        binding = Binding(discourse) if self.binding else None
        return Resolution(
            resolver=signature(self),
            discourse=discourse,
            decisions=tuple(
                self._decide(discourse, anaphor, binding, draw) for anaphor in discourse.anaphors
            ),
        )

    def _decide(
        self, discourse: Discourse, anaphor: Phrase, binding: Binding | None, draw: Random
    ) -> Decision:
        candidates = candidates_in(discourse, anaphor, self.window, binding)
        left = [candidate.phrase for candidate in candidates if not candidate.dropped]
        return Decision(
            anaphor=anaphor.index,
            antecedent=draw.choice(left) if left else None,
            candidates=tuple(candidates),
            rule="random" if left else "no candidate",
            confidence=1 / len(left) if left else None,
        )
