"""Kennedy & Boguraev (1996): salience without a parser.

Every noun phrase opens a class of coreferent phrases; a pronoun joins the class of the most salient
referent that agrees with it and that precedence and grammatical functions do not keep apart.
"""

from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import signature
from corefbench.resolvers.base import ResolverCard
from corefbench.resolvers.resolution import Resolution
from corefbench.resolvers.rules.kennedy_boguraev_reading import Reading
from corefbench.resolvers.rules.kennedy_boguraev_settings import PARAMETERS, Settings


class KennedyBoguraev(Settings, frozen=True, kw_only=True):
    """The parser-free successor of RAP."""

    card = ResolverCard(
        name="kennedy-boguraev",
        title="Kennedy & Boguraev",
        description="Salience of coreference classes, from grammatical functions and precedence.",
        parameters=PARAMETERS,
        cites=("kennedy1996",),
    )

    def resolve(self, discourse: Discourse) -> Resolution:
        """Resolve one document."""
        reading = Reading(self, discourse)
        for sentence, phrases in enumerate(discourse.by_sentence):
            reading.sentence(sentence, [phrase for phrase in phrases if not phrase.pleonastic])
        decisions = reading.attention.decisions
        return Resolution(
            resolver=signature(self),
            discourse=discourse,
            decisions=tuple(sorted(decisions, key=lambda decision: decision.anaphor)),
            links=tuple(reading.attention.links),
        )
