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
from collections.abc import Hashable
from functools import partial

import msgspec

from corefbench.analysis.errors.pair import Pair, Side, SideName, add_twins
from corefbench.analysis.errors.taxonomy import Error
from corefbench.records import Columns

_LEADING = frozenset(("the",))
_TRAILING = frozenset(("'s", "’s"))


class Operations(Columns, frozen=True, eq=False):
    """The operations by kind, with the class of error that each belongs to."""

    pair: Pair
    """The pair, with the twins that altered spans add."""
    altered: list[tuple[int, int]]
    """(response mention, key mention)."""
    errors: list[Error]
    removed: dict[int, str] = msgspec.field(default_factory=dict)
    """Response mention → class."""
    introduced: dict[int, str] = msgspec.field(default_factory=dict)
    """Key mention → class."""
    pieces: list[tuple[int, int]] = msgspec.field(default_factory=list)
    """(response chain, key chain) of every piece."""
    split: set[tuple[int, int]] = msgspec.field(default_factory=set)
    """The pieces that are split off their response chain: conflated entities."""
    merged: set[tuple[int, int]] = msgspec.field(default_factory=set)
    """The pieces that are merged into their key chain: divided entities."""
    anchor: dict[int, tuple[int, int]] = msgspec.field(default_factory=dict)
    """Key chain → the piece that its other parts are merged with."""


def find_operations(pair: Pair) -> Operations:
    """Find the operations and the errors that they form, chain by chain."""
    # Altered spans come first: the other operations see their mentions as twins.
    altered = find_span_errors(pair)
    pair = add_twins(pair, altered)
    error = partial(Error, pair=pair, taxonomy="operations", kind="span-error", side="response")
    errors = [error(mention=mention, key=twin, response=mention) for mention, twin in altered]
    operations = Operations(pair=pair, altered=altered, errors=errors)
    for chain in range(len(pair.response.members)):
        _split_chain(operations, chain)
    for chain in range(len(pair.key.members)):
        _merge_chain(operations, chain)
    return operations


def find_span_errors(pair: Pair) -> list[tuple[int, int]]:
    """Return the (response mention, key mention) pairs that differ only in their boundaries.

    Among the mentions without a twin, a response mention has the boundaries of a key mention wrong
    if

    1. both are equal but for *the*, a possessive *'s* and punctuation at their ends, or else
    2. both have the same head word, and no other mention without a twin has it.
    """
    trimmed = _by_trimmed_span(pair)
    return sorted(trimmed + _by_head(add_twins(pair, trimmed)))


def _by_trimmed_span(pair: Pair) -> list[tuple[int, int]]:
    if not pair.key.words:
        return []
    wanted: dict[Hashable, list[int]] = defaultdict(list)
    for mention in _twinless(pair.twin_of_key):
        wanted[_trimmed_span(pair.key, mention)].append(mention)
    pairs = []
    for mention in _twinless(pair.twin_of_response):
        candidates = wanted.get(_trimmed_span(pair.response, mention))
        if candidates:
            # Of several equal ones the first, and each only once.
            pairs.append((mention, candidates.pop(0)))
    return pairs


def _by_head(pair: Pair) -> list[tuple[int, int]]:
    if not pair.key.words:
        return []
    heads: dict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for number, (side, twins) in enumerate(((pair.key, pair.twin_of_key), (pair.response, pair.twin_of_response))):
        for mention in _twinless(twins):
            heads[_head_key(side, mention)][number].append(mention)
    return [(r[0], k[0]) for k, r in heads.values() if len(k) == len(r) == 1]


def _twinless(twins: list[int]) -> list[int]:
    return [mention for mention, twin in enumerate(twins) if twin < 0]


def _head_key(side: Side, mention: int) -> Hashable:
    document = side.document[mention]
    return document, side.kinds.head[mention] - int(side.tokens.offsets[document])


def _trimmed_span(side: Side, mention: int) -> Hashable:
    """Return the span without articles and punctuation at its ends; at least one word remains."""
    start, end = side.token_span(mention)
    words, document_start = side.words, int(side.tokens.offsets[side.document[mention]])
    first, last = start, min(end, len(words))
    while first < last - 1 and (words[first].lower() in _LEADING or _is_punctuation(words[first])):
        first += 1
    while first < last - 1 and (words[last - 1].lower() in _TRAILING or _is_punctuation(words[last - 1])):
        last -= 1
    return side.document[mention], first - document_start, last - document_start


def _is_punctuation(word: str) -> bool:
    return len(word) == 1 and not word.isalnum()


def _split_chain(operations: Operations, chain: int) -> None:
    """Split a response chain and remove its extra mentions."""
    parts = _divide_chain(operations.pair, "response", chain)
    operations.pieces.extend((chain, entity) for entity in parts.pieces)
    kinds = ("extra-entity", "extra-mention", "conflated-entities")
    operations.removed.update(_classify_twinless(operations, parts, *kinds))
    for entity, piece in parts.pieces.items():
        if parts.lead not in piece:
            operations.split.add((chain, entity))
            _add_error(operations, "conflated-entities", parts, piece)


def _merge_chain(operations: Operations, chain: int) -> None:
    """Introduce the missing mentions of a key chain and merge its pieces."""
    parts = _divide_chain(operations.pair, "key", chain)
    kinds = ("missing-entity", "missing-mention", "divided-entity")
    operations.introduced.update(_classify_twinless(operations, parts, *kinds))
    # A missing lead is introduced by the merges; until then the earliest piece stands for it.
    stands_in = parts.lead in parts.twinless and not parts.is_entity
    for source, piece in parts.pieces.items():
        if parts.lead in piece or (stands_in and chain not in operations.anchor):
            operations.anchor[chain] = (source, chain)
        if parts.lead not in piece:
            operations.merged.add((source, chain))
            _add_error(operations, "divided-entity", parts, piece)


class _ChainParts(Columns, frozen=True, eq=False):
    """A chain as the other side divides it."""

    side: SideName
    ranked: list[int]
    """The mentions, pronouns last, each kind in text order: the first of any part is its lead."""
    twinless: list[int]
    pieces: dict[int, list[int]]
    """Chain of the other side → mentions."""
    lead: int
    is_entity: bool
    """Whether the mentions without twins are an entity that the other side does not have."""


def _divide_chain(pair: Pair, name: SideName, chain: int) -> _ChainParts:
    side, other = pair.side(name), pair.side("key" if name == "response" else "response")
    twins = pair.twin_of_key if name == "key" else pair.twin_of_response
    members = side.members[chain]
    ranked = sorted(members, key=lambda mention: (side.is_pronoun(mention), side.span(mention)))
    twinless, pieces = [], defaultdict(list)
    for mention in members:
        if twins[mention] < 0:
            twinless.append(mention)
        else:
            pieces[other.chain[twins[mention]]].append(mention)
    pronouns = all(side.is_pronoun(m) for piece in pieces.values() for m in piece)
    return _ChainParts(
        side=name,
        ranked=ranked,
        twinless=twinless,
        pieces=pieces,
        lead=ranked[0] if ranked else -1,
        is_entity=pronouns and (len(twinless) > 1 or (bool(twinless) and not pieces)),
    )


def _classify_twinless(
    operations: Operations, parts: _ChainParts, entity: str, mention: str, lead: str
) -> dict[int, str]:
    """Return the class of every mention without a twin, and add their errors.

    The classes are those of a whole entity, of one mention, and of the lead, which has no error of
    its own.
    """
    if parts.is_entity:
        _add_error(operations, entity, parts, parts.twinless)
        return dict.fromkeys(parts.twinless, entity)
    for twinless in parts.twinless:
        if twinless != parts.lead:
            _add_error(operations, mention, parts, [twinless])
    return {twinless: lead if twinless == parts.lead else mention for twinless in parts.twinless}


def _add_error(operations: Operations, kind: str, parts: _ChainParts, part: list[int]) -> None:
    """Add the error of a part, with the mention that it is split from or belongs to."""
    side = operations.pair.side(parts.side)
    inside = set(part)
    other = next((mention for mention in parts.ranked if mention not in inside), -1)
    operations.errors.append(
        Error(
            pair=operations.pair,
            taxonomy="operations",
            kind=kind,
            side=parts.side,
            mention=side.lead(part),
            key=other if parts.side == "key" else -1,
            response=other if parts.side == "response" else -1,
            members=tuple(part) if len(part) > 1 else (),
        )
    )
