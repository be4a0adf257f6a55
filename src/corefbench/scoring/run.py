"""Score streams of corpora: pair, evaluate, add up, sign."""

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec.structs import replace

from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus
from corefbench.profiles import Profile
from corefbench.scoring.gathering import Gathering
from corefbench.scoring.pairing import paired
from corefbench.scoring.result import Result
from corefbench.scoring.signature import ContentHash


def score_streams(
    key: Iterable[Corpus],
    response: Iterable[Corpus],
    profile: Profile,
) -> Result:
    """Score a stream of key documents against a stream of response documents."""
    gathered = Gathering(profile)
    of_key, of_response = gathered.hashes
    pairs = paired(_hashed(key, of_key), _hashed(response, of_response), gathered.heard.append)
    if profile.scope != "document":
        pairs = as_one(pairs)
    for some_key, some_response in pairs:
        gathered.score(some_key, some_response)
    return gathered.result()


def _hashed(pieces: Iterable[Corpus], content: ContentHash) -> Iterator[Corpus]:
    for piece in pieces:
        content.add(piece)
        yield piece


def as_one(pairs: Iterator[tuple[Corpus, Corpus]]) -> Iterator[tuple[Corpus, Corpus]]:
    """Scopes wider than a document need all documents at once."""
    pieces = list(pairs)
    if pieces:
        key, response = (concatenate(side[0].name, side) for side in zip(*pieces, strict=True))
        yield _equally_long(key, response)


def _equally_long(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Clusters from memory do not say how long a document is: the longer side does, or the next
    document would begin at different tokens."""
    if key.tokens.digests is not None or response.tokens.digests is not None:
        return key, response
    offsets = np.append(0, np.cumsum(np.maximum(key.token_counts(), response.token_counts())))
    key, response = (
        replace(side, tokens=replace(side.tokens, offsets=offsets)) for side in (key, response)
    )
    return key, response
