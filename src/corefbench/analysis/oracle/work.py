"""One document, resolved with three sets of mentions."""

from typing import Literal, TypeAlias

from msgspec.structs import replace

from corefbench.bench.outcome import Clusters, Outcome, outcome
from corefbench.bench.plan import Plan
from corefbench.bench.prepare import preprocessor_for
from corefbench.model.corpus import Corpus
from corefbench.policy.singletons import without_singletons
from corefbench.record import Record
from corefbench.resolvers import make

Given: TypeAlias = Literal["detected", "gold", "non-singleton gold"]
GIVEN: tuple[Given, ...] = ("detected", "gold", "non-singleton gold")
"""The mentions that a resolver finds itself, all of the key, those of the key in chains."""


class Resolved(Record, frozen=True):
    """What all resolvers made of one document, by the mentions that they were given."""

    document: str
    key: Clusters
    """All chains of the key, singletons too: what every answer is scored against."""
    answers: dict[str, dict[Given, Clusters]]
    strange: dict[str, int]
    """By resolver: mentions of its answer to ``gold`` that it was not given …"""
    answered: dict[str, int]
    """… out of so many."""


class Work:
    """What a process does with a document; the pipeline is loaded once in each."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __call__(self, corpus: Corpus) -> Resolved:
        """What comes of a corpus of one document."""
        made: dict[Given, Outcome] = {
            "detected": self._outcome(corpus, "predicted"),
            "gold": self._outcome(corpus, "gold"),
            "non-singleton gold": self._outcome(without_singletons(corpus), "gold"),
        }
        key = made["gold"].text.key
        spans = {span for chain in key for span in chain}
        answered = {
            answer.resolver: [span for chain in answer.clusters for span in chain]
            for answer in made["gold"].answers
        }
        return Resolved(
            document=made["gold"].document,
            key=key,
            answers={
                name: {given: _clusters(one, name) for given, one in made.items()}
                for name in answered
            },
            strange={name: sum(s not in spans for s in some) for name, some in answered.items()},
            answered={name: len(some) for name, some in answered.items()},
        )

    def _outcome(self, corpus: Corpus, mentions: Literal["predicted", "gold"]) -> Outcome:
        plan = replace(self.plan, mentions=mentions)
        resolvers = [make(name) for name in plan.resolvers]
        return outcome(corpus, plan, preprocessor_for(corpus, plan), resolvers)


def _clusters(one: Outcome, resolver: str) -> Clusters:
    return next(answer.clusters for answer in one.answers if answer.resolver == resolver)
