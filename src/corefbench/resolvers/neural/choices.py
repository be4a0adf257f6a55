"""What a trained model says about its own use: schemes, singletons, and how to decode each."""

import msgspec

from corefbench.errors import UnknownName
from corefbench.record import Record
from corefbench.resolvers.learned.checkpoint import ModelCard


class Decoding(Record, frozen=True):
    """What is chosen on development data once the weights are there."""

    threshold: float = 0.5
    """The probability from which a span is a mention."""
    bias: float = 0.0
    """What is added to the score of having no antecedent …"""
    given: float = 0.0
    """… and what, where the mentions are given."""


def scheme_of(card: ModelCard, asked: str = "") -> str:
    """The scheme that is asked for, else the one that the model names, else its first."""
    known = list(card.config["shape"]["schemes"])
    scheme = asked or card.config.get("scheme") or known[0]
    if scheme not in known:
        raise UnknownName("scheme in this model", scheme, known)
    return str(scheme)


def decoding_of(card: ModelCard, scheme: str) -> Decoding:
    """As it was calibrated; of models that were not, the values to begin with."""
    return msgspec.convert(card.config.get("decoding", {}).get(scheme, {}), Decoding)


def keeps_singletons(card: ModelCard, scheme: str) -> bool:
    """Whether texts that are annotated by the scheme have singletons."""
    return scheme in card.config.get("singletons", ())
