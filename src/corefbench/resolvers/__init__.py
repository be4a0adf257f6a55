"""Registry of resolvers, and the records of their answers."""

from collections.abc import Callable

from corefbench.registry import Registry
from corefbench.resolvers.base import (
    Candidate,
    Decision,
    Parameter,
    Resolution,
    Resolver,
    ResolverCard,
    signature,
)

_RULES = "corefbench.resolvers.rules"
_ADAPTERS = "corefbench.resolvers.adapters"

resolvers: Registry[Callable[..., Resolver]] = Registry(
    "resolver",
    built_in={
        "kennedy-boguraev": f"{_RULES}.kennedy_boguraev:KennedyBoguraev",
        "lappin-leass": f"{_RULES}.lappin_leass:LappinLeass",
        "cogniac": f"{_RULES}.cogniac:CogNIAC",
        "cogniac-robust": f"{_RULES}.cogniac:CogNIACRobust",
        "cogniac-muc6": f"{_RULES}.cogniac:CogNIACMuc6",
        "mitkov": f"{_RULES}.mitkov:Mitkov",
        "mars": f"{_RULES}.mars:Mars",
        "hobbs": f"{_RULES}.hobbs:Hobbs",
        "sieve": f"{_RULES}.sieve:Sieve",
        "most-recent": f"{_RULES}.baselines:MostRecent",
        "most-recent-subject": f"{_RULES}.baselines:MostRecentSubject",
        "random": f"{_RULES}.baselines:RandomChoice",
        "singletons": f"{_RULES}.baselines:Singletons",
        "all-in-one": f"{_RULES}.baselines:AllInOne",
        "same-head": f"{_RULES}.baselines:SameHead",
        "ubiu": "corefbench.resolvers.mention_pair.ubiu:Ubiu",
        "neural": "corefbench.resolvers.neural.resolver:NeuralResolver",
        "fastcoref": f"{_ADAPTERS}.third_party:FastCoref",
        "maverick": f"{_ADAPTERS}.third_party:Maverick",
        "stanza-coref": f"{_ADAPTERS}.third_party:StanzaCoref",
        "spacy-coref": f"{_ADAPTERS}.third_party:SpacyCoref",
        "coreferee": f"{_ADAPTERS}.third_party:Coreferee",
        "command": f"{_ADAPTERS}.command:Command",
    },
    aliases={"kb": "kennedy-boguraev", "rap": "lappin-leass", "baseline": "most-recent"},
    entry_points="corefbench.resolvers",
)


def make(text: str) -> Resolver:
    """Make the resolver of a name, with optional parameters.

    >>> signature(make("random")), signature(make("random(seed=7)"))
    ('random', 'random(seed=7)')
    """
    resolver: Resolver = resolvers.make(text)
    return resolver


__all__ = [
    "Candidate",
    "Decision",
    "Parameter",
    "Resolution",
    "Resolver",
    "ResolverCard",
    "make",
    "resolvers",
    "signature",
]
