"""Errors as operations that turn the response into the key (Kummerfeld & Klein 2013).

1. alter the span of a mention whose boundaries alone are wrong
2. split every response chain into pieces of one key chain each, and the mentions that the key lacks
3. remove those mentions
4. introduce the mentions that the response lacks
5. merge pieces and introduced mentions into the key's chains

The operations are grouped into errors:

    span-error           an altered span
    extra-entity         removed mentions of one chain, two or more, or a whole chain, if what else
                         the chain has is pronouns only
    missing-entity       introduced mentions of one chain, likewise
    extra-mention        another mention split off and removed
    missing-mention      another mention introduced and merged
    conflated-entities   every other split
    divided-entity       every other merge

Of a chain in *n* parts, *n* − 1 are split off or merged: the part with its *lead*, the earliest
mention that is no pronoun (the earliest of all where all are pronouns), stays where it is. If the
lead itself is a mention to be removed, the pieces are split off it and it goes with them; a lead to
be introduced comes with the merges. Singletons, which the authors' program strips, are entities.
"""

from collections import defaultdict

from corefbench.analysis.errors.error import Error
from corefbench.analysis.errors.pair import Pair, SideName, with_twins
from corefbench.analysis.errors.spans import wrong_spans
from corefbench.record import Columns


class Operations(Columns, frozen=True, eq=False):
    """The operations by what they do; each says which class of error it belongs to."""

    pair: Pair
    """With the twins that altered spans make."""
    altered: list[tuple[int, int]]
    """(response mention, key mention)."""
    removed: dict[int, str]
    """Response mention → class."""
    introduced: dict[int, str]
    """Key mention → class."""
    pieces: list[tuple[int, int]]
    """(response chain, key chain) of every piece."""
    split: set[tuple[int, int]]
    """The pieces that are split off their response chain: conflated entities."""
    merged: set[tuple[int, int]]
    """The pieces that are merged into their key chain: divided entities."""
    anchor: dict[int, tuple[int, int]]
    """Key chain → the piece that its other parts are merged with."""
    errors: list[Error]


def operations(pair: Pair) -> Operations:
    """The operations, and the errors they make, chain after chain."""
    altered = wrong_spans(pair)
    pair = with_twins(pair, altered)
    made = Operations(
        pair=pair,
        altered=altered,
        removed={},
        introduced={},
        pieces=[],
        split=set(),
        merged=set(),
        anchor={},
        errors=[
            Error(
                pair=pair,
                taxonomy="operations",
                kind="span-error",
                side="response",
                mention=mention,
                key=twin,
                response=mention,
            )
            for mention, twin in altered
        ],
    )
    for chain in range(len(pair.response.members)):
        _take_apart(made, chain)
    for chain in range(len(pair.key.members)):
        _put_together(made, chain)
    return made


def _take_apart(made: Operations, chain: int) -> None:
    """Split and remove: what is wrong with a response chain."""
    parts = _parts(made.pair, "response", chain)
    made.pieces.extend((chain, entity) for entity in parts.pieces)
    kinds = ("extra-entity", "extra-mention", "conflated-entities")
    made.removed.update(_without_twins(made, parts, *kinds))
    for entity, piece in parts.pieces.items():
        if parts.lead not in piece:
            made.split.add((chain, entity))
            _add(made, "conflated-entities", parts, piece)


def _put_together(made: Operations, chain: int) -> None:
    """Introduce and merge: what is wrong with a key chain."""
    parts = _parts(made.pair, "key", chain)
    kinds = ("missing-entity", "missing-mention", "divided-entity")
    made.introduced.update(_without_twins(made, parts, *kinds))
    # A missing lead is introduced by the merges; until then the earliest piece stands for it.
    stands_in = parts.lead in parts.twinless and not parts.is_entity
    for source, piece in parts.pieces.items():
        if parts.lead in piece or (stands_in and chain not in made.anchor):
            made.anchor[chain] = (source, chain)
        if parts.lead not in piece:
            made.merged.add((source, chain))
            _add(made, "divided-entity", parts, piece)


class _Parts(Columns, frozen=True, eq=False):
    """A chain as the other side sees it."""

    side: SideName
    members: list[int]
    twinless: list[int]
    pieces: dict[int, list[int]]
    """Chain of the other side → mentions."""
    lead: int
    is_entity: bool
    """Whether the mentions without twins are an entity that the other side does not have."""


def _parts(pair: Pair, name: SideName, chain: int) -> _Parts:
    side, other = pair.side(name), pair.side("key" if name == "response" else "response")
    twins = pair.twin_of_key if name == "key" else pair.twin_of_response
    members = side.members[chain]
    twinless, pieces = [], defaultdict(list)
    for mention in members:
        if twins[mention] < 0:
            twinless.append(mention)
        else:
            pieces[other.chain[twins[mention]]].append(mention)
    pronouns = all(side.is_pronoun(m) for piece in pieces.values() for m in piece)
    return _Parts(
        side=name,
        members=members,
        twinless=twinless,
        pieces=pieces,
        lead=side.lead(members) if members else -1,
        is_entity=pronouns and (len(twinless) > 1 or (bool(twinless) and not pieces)),
    )


def _without_twins(
    made: Operations, parts: _Parts, entity: str, mention: str, lead: str
) -> dict[int, str]:
    """The class of every mention without a twin, in the words for a whole entity, one mention, and
    the lead, which makes no error of its own."""
    if parts.is_entity:
        _add(made, entity, parts, parts.twinless)
        return dict.fromkeys(parts.twinless, entity)
    for one in parts.twinless:
        if one != parts.lead:
            _add(made, mention, parts, [one])
    return {one: lead if one == parts.lead else mention for one in parts.twinless}


def _add(made: Operations, kind: str, parts: _Parts, part: list[int]) -> None:
    """The error of a part, shown beside what it is split from or belongs with."""
    side = made.pair.side(parts.side)
    rest = sorted(set(parts.members) - set(part))
    other = side.lead(rest) if rest else -1
    made.errors.append(
        Error(
            pair=made.pair,
            taxonomy="operations",
            kind=kind,
            side=parts.side,
            mention=side.lead(part),
            key=other if parts.side == "key" else -1,
            response=other if parts.side == "response" else -1,
            members=tuple(part) if len(part) > 1 else (),
        )
    )
