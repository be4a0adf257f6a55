"""The baselines of chain tasks: no links at all, and nothing but links."""

from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import signature
from corefbench.resolvers.base import ResolverCard
from corefbench.resolvers.resolution import Resolution


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
            resolver=signature(self),
            discourse=discourse,
            decisions=(),
            mentions=tuple(range(len(discourse.phrases))),
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
