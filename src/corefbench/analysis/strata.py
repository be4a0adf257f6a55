"""Strata: what mentions are told apart by when scores and errors are broken down.

    type        pronoun, name, nominal, event, zero
    pronoun     the form of a pronoun
    gender      of a pronoun: feminine, masculine, neuter, open
    sentences   sentences back to the closest antecedent in the chain; 0 is the same sentence
    mentions    mentions between it and that antecedent
    genre       of the document: its column, else read off its name
    document    the document itself
    length      tokens of the document
    size        mentions of the chain

Every mention is in exactly one stratum of each kind, so that counts add up. A mention without an
antecedent is ``first``, one that is no pronoun ``no pronoun``.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from corefbench.analysis.mention_types import MENTION_TYPES

Stratum: TypeAlias = Literal[
    "type",
    "pronoun",
    "gender",
    "sentences",
    "mentions",
    "genre",
    "document",
    "length",
    "size",
]
STRATA: dict[str, str] = {
    "type": "Mention type",
    "pronoun": "Pronoun",
    "gender": "Gender of pronoun",
    "sentences": "Sentences to the antecedent",
    "mentions": "Mentions to the antecedent",
    "genre": "Genre",
    "document": "Document",
    "length": "Document length",
    "size": "Chain size",
}
"""The name of every stratum, and its title."""
ALIASES = {
    "distance": "sentences",
    "mention-distance": "mentions",
    "mention-type": "type",
    "chain-size": "size",
    "document-length": "length",
    "form": "pronoun",
}
FIRST = "first"
NO_PRONOUN = "no pronoun"

_EDGES: dict[str, tuple[int, ...]] = {
    "sentences": (0, 1, 2, 3, 6, 11),
    "mentions": (0, 1, 3, 6, 11, 21, 51),
    "length": (0, 250, 500, 1000, 2000, 5000),
    "size": (1, 2, 3, 6, 11, 21),
}
"""Where each bin begins; the last is open."""


def labels(edges: Sequence[int]) -> list[str]:
    """How the bins are called.

    >>> labels((0, 1, 3, 6))
    ['0', '1–2', '3–5', '6+']
    """
    ends = [*(edge - 1 for edge in edges[1:]), None]
    return [
        f"{first}+" if last is None else str(first) if first == last else f"{first}–{last}"
        for first, last in zip(edges, ends, strict=True)
    ]


def binned(stratum: str, values: Iterable[int]) -> list[str]:
    """The bin of every value; a negative one has no antecedent.

    >>> binned("sentences", [0, 4, 40, -1])
    ['0', '3–5', '11+', 'first']
    """
    from bisect import bisect_right

    edges = _EDGES[stratum]
    names = labels(edges)
    return [names[bisect_right(edges, value) - 1] if value >= 0 else FIRST for value in values]


def in_order(stratum: str, values: Iterable[str]) -> list[str]:
    """The values as a table lists them: bins and types in their own order, else by name."""
    if stratum in _EDGES:
        order = [*labels(_EDGES[stratum]), FIRST]
    elif stratum == "type":
        order = list(MENTION_TYPES)
    else:
        order = []
    place = {name: number for number, name in enumerate(order)}
    last = {NO_PRONOUN: 1, "unknown": 1}
    return sorted(set(values), key=lambda v: (place.get(v, len(order)), last.get(v, 0), v))


def stratum_named(name: str) -> str:
    """The stratum of that name, or of that other name for it."""
    from corefbench.errors import UnknownName

    made = ALIASES.get(name, name)
    if made not in STRATA:
        raise UnknownName("stratum", name, [*STRATA, *ALIASES])
    return made
