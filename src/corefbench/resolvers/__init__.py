"""Registry of resolvers, and the records of their answers."""

from collections.abc import Callable

from corefbench.registry import Registry
from corefbench.resolvers.base import Parameter, Resolver, ResolverCard
from corefbench.resolvers.resolution import Candidate, Decision, Resolution

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

    >>> make("random(seed=7)").card.name
    'random'
    """
    resolver: Resolver = resolvers.make(text)
    return resolver


def signature(resolver: Resolver) -> str:
    """Return the signature of a resolver: its name and the parameters that differ from the default.

    >>> signature(make("random")), signature(make("random(seed=7)"))
    ('random', 'random(seed=7)')
    """
    card = resolver.card
    changed = [
        f"{parameter.name}={_format_value(value)}"
        for parameter in card.parameters
        if parameter.signed and (value := getattr(resolver, parameter.name)) != parameter.default
    ]
    return f"{card.name}({','.join(changed)})" if changed else card.name


def _format_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


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
