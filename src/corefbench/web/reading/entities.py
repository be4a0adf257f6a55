"""The entities of a document: chains of the key, and chains that only the response has."""

from collections import defaultdict
from heapq import nsmallest

from corefbench.record import Record
from corefbench.web.reading.mentions import Mentions
from corefbench.web.reading.prose import Prose


class Entity(Record, frozen=True):
    """A chain in a list."""

    name: str
    """Its first mention that is no pronoun."""
    side: str
    """``key`` or ``response``."""
    chain: int
    size: int
    errors: int
    first: int
    """Its first mention."""


def entities(prose: Prose, found: Mentions, limit: int) -> tuple[tuple[Entity, ...], int]:
    """The largest, of the same size in the order of the text; and how many there are."""
    key: dict[int, list[int]] = defaultdict(list)
    response: dict[int, list[int]] = defaultdict(list)
    answered = set()
    for mention, (one, other) in enumerate(zip(found.key, found.response, strict=True)):
        if one >= 0:
            key[one].append(mention)
            answered.add(other)
        elif other >= 0:
            response[other].append(mention)
    rows = [("key", chain, members) for chain, members in key.items()]
    rows += [("response", n, members) for n, members in response.items() if n not in answered]
    largest = nsmallest(limit, rows, key=lambda row: (-len(row[2]), row[2][0]))
    return tuple(_entity(prose, found, *row) for row in largest), len(rows)


def _entity(prose: Prose, found: Mentions, side: str, chain: int, members: list[int]) -> Entity:
    lead = next((mention for mention in members if not found.pronoun[mention]), members[0])
    return Entity(
        name=prose.said(found.start[lead], found.end[lead]),
        side=side,
        chain=chain,
        size=len(members),
        errors=sum(map(found.is_error, members)),
        first=members[0],
    )
