"""The resolvers, by name, and what they answer."""

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
        "most-recent": f"{_RULES}.most_recent:MostRecent",
        "most-recent-subject": f"{_RULES}.most_recent:MostRecentSubject",
        "random": f"{_RULES}.random_choice:RandomChoice",
        "singletons": f"{_RULES}.trivial:Singletons",
        "all-in-one": f"{_RULES}.trivial:AllInOne",
        "same-head": f"{_RULES}.same_head:SameHead",
        "ubiu": "corefbench.resolvers.learned.ubiu:Ubiu",
        "neural": "corefbench.resolvers.neural.resolver:Neural",
        "fastcoref": f"{_ADAPTERS}.fastcoref:FastCoref",
        "maverick": f"{_ADAPTERS}.maverick:Maverick",
        "stanza-coref": f"{_ADAPTERS}.stanza_coref:StanzaCoref",
        "spacy-coref": f"{_ADAPTERS}.spacy_coref:SpacyCoref",
        "coreferee": f"{_ADAPTERS}.coreferee:Coreferee",
        "command": "corefbench.resolvers.command:Command",
    },
    aliases={
        "kb": "kennedy-boguraev",
        "rap": "lappin-leass",
        "baseline": "most-recent",
    },
    entry_points="corefbench.resolvers",
)


def make(text: str) -> Resolver:
    """The resolver of a name, with parameters where some are given.

    >>> make("random(seed=7)").card.name
    'random'
    """
    made: Resolver = resolvers.make(text)
    return made


def signature(resolver: Resolver) -> str:
    """The resolver as it is signed: its name, and the parameters that are not at their default.

    >>> signature(make("random")), signature(make("random(seed=7)"))
    ('random', 'random(seed=7)')
    """
    card = resolver.card
    chosen = [
        f"{parameter.name}={_shown(value)}"
        for parameter in card.parameters
        if parameter.signed and (value := getattr(resolver, parameter.name)) != parameter.default
    ]
    return f"{card.name}({','.join(chosen)})" if chosen else card.name


def _shown(value: object) -> str:
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
