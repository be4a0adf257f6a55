"""Key and response with their twins: the one alignment that every taxonomy is made from."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.errors.side import Side, side_of
from corefbench.errors import MismatchError
from corefbench.findings import Finding, Strictness
from corefbench.formats import Reading
from corefbench.formats.load import stream
from corefbench.matching import Alignment
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus, Tokens
from corefbench.profiles import Profile
from corefbench.record import Columns
from corefbench.scope import apply_scope
from corefbench.scoring.evaluate import align
from corefbench.scoring.pairing import paired

Where: TypeAlias = str | Path | bytes | Corpus
SideName: TypeAlias = Literal["key", "response"]


class Pair(Columns, frozen=True, eq=False):
    """Two sides with the same documents."""

    key: Side
    response: Side
    twin_of_key: list[int]
    """For every key mention its response mention, or -1."""
    twin_of_response: list[int]
    """For every response mention its key mention, or -1; a key mention has one answer, the first,
    and further answers to it count as mentions that the key does not have."""

    def side(self, name: SideName) -> Side:
        return self.key if name == "key" else self.response


def read_pair(
    key: Where,
    response: Where,
    profile: Profile,
    *,
    format: str | None = None,
    lenient: bool = False,
    report: Callable[[Finding], None],
    advance: Callable[[int], None] | None = None,
) -> Pair:
    """Read both sides whole and match their mentions as the profile does."""
    strictness = Strictness(lenient=lenient, report=report)
    reading = Reading(strictness=strictness, words=True, advance=advance)

    def pieces(where: Where) -> Iterator[Corpus]:
        if isinstance(where, Corpus):
            return iter([where])
        return stream(where, format=format, reading=reading)

    blocks = list(paired(pieces(key), pieces(response), report))
    if not blocks:
        raise MismatchError("there is nothing to compare", code="CB102", found="no document")
    keys, responses = zip(*blocks, strict=True)
    joined = (concatenate(some[0].name, some) for some in (keys, responses))
    one, other = (apply_scope(corpus, profile.scope) for corpus in joined)
    return pair_of(align(one, other, profile.choices))


def pair_of(alignment: Alignment) -> Pair:
    """The two sides of an alignment, one twin a mention."""
    key, response = alignment.key, alignment.response
    tokens = _tokens(key, response)
    twin_of_key = [-1] * len(key.mentions)
    twin_of_response = [-1] * len(response.mentions)
    for mention, twin in enumerate(alignment.twins.key.tolist()):
        if twin >= 0 and twin_of_key[twin] < 0:
            twin_of_key[twin], twin_of_response[mention] = mention, twin
    return Pair(
        key=side_of(key, tokens[0]),
        response=side_of(response, tokens[1]),
        twin_of_key=twin_of_key,
        twin_of_response=twin_of_response,
    )


def _tokens(key: Corpus, response: Corpus) -> tuple[Tokens, Tokens]:
    """What words are read from on each side: the same, the key's first, if both have as many."""
    if not np.array_equal(key.tokens.offsets, response.tokens.offsets):
        return key.tokens, response.tokens
    shared = key.tokens if key.tokens.words is not None else response.tokens
    return shared, shared


def with_twins(pair: Pair, more: list[tuple[int, int]]) -> Pair:
    """The pair with further twins, (response mention, key mention)."""
    twin_of_key, twin_of_response = list(pair.twin_of_key), list(pair.twin_of_response)
    for mention, twin in more:
        twin_of_key[twin], twin_of_response[mention] = mention, twin
    return replace(pair, twin_of_key=twin_of_key, twin_of_response=twin_of_response)
