"""Strata: the attributes of mentions by which scores and errors are broken down.

    type        pronoun, name, nominal, event, zero
    pronoun     the form of a pronoun
    gender      of a pronoun: feminine, masculine, neuter, open
    sentences   sentences back to the closest antecedent in the chain; 0 is the same sentence
    mentions    mentions between it and that antecedent
    genre       of the document: its column, else derived from its name
    document    the document itself
    length      tokens of the document
    size        mentions of the chain

Every mention is in exactly one stratum of each kind, so that counts add up. A mention without an
antecedent is ``first``, one that is not a pronoun ``no pronoun``.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from corefbench.analysis.mention_types import MENTION_TYPES
from corefbench.errors import UnknownName

Stratum: TypeAlias = Literal[
    "type", "pronoun", "gender", "sentences", "mentions", "genre", "document", "length", "size"
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


def bin_labels(edges: Sequence[int]) -> list[str]:
    """Return the labels of bins.

    >>> bin_labels((0, 1, 3, 6))
    ['0', '1–2', '3–5', '6+']
    """
    ends = [*(edge - 1 for edge in edges[1:]), None]
    return [
        f"{first}+" if last is None else str(first) if first == last else f"{first}–{last}"
        for first, last in zip(edges, ends, strict=True)
    ]


def bin_values(stratum: str, values: Iterable[int]) -> list[str]:
    """Return the bin of every value; negative values are mentions without an antecedent.

    >>> bin_values("sentences", [0, 4, 40, -1])
    ['0', '3–5', '11+', 'first']
    """
    edges = _EDGES[stratum]
    names = bin_labels(edges)
    return [names[bisect_right(edges, value) - 1] if value >= 0 else FIRST for value in values]


def sort_strata(stratum: str, values: Iterable[str]) -> list[str]:
    """Sort values as tables list them: bins and types in their own order, else by name."""
    if stratum in _EDGES:
        order = [*bin_labels(_EDGES[stratum]), FIRST]
    elif stratum == "type":
        order = list(MENTION_TYPES)
    else:
        order = []
    rank = {name: number for number, name in enumerate(order)}
    last = {NO_PRONOUN: 1, "unknown": 1}
    return sorted(set(values), key=lambda v: (rank.get(v, len(order)), last.get(v, 0), v))


def parse_stratum(name: str) -> str:
    """Return the stratum of a name or alias."""
    canonical = ALIASES.get(name, name)
    if canonical not in STRATA:
        raise UnknownName("stratum", name, [*STRATA, *ALIASES])
    return canonical
