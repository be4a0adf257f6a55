"""Score in parallel, with the same result, bit for bit, as a single worker.

Key and response are split at the same documents, and every worker reads, pairs and scores its own
shards. If that is not possible, because documents are missing, in another order or named twice, or
because a file has an error, everything is scored in one piece: the findings, or the error with its
line, are then the usual ones.
"""

from collections.abc import Callable
from pathlib import Path

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.selection import parse_selections, select_pair
from corefbench.engine import open_engine
from corefbench.errors import DataError
from corefbench.formats.sharding import (
    SHARD_BYTES,
    NotShardable,
    Shard,
    resolve_files,
    shard_corpus_pair,
    strict_reading,
)
from corefbench.records import Record
from corefbench.scoring.pipeline import Accumulator, Share
from corefbench.scoring.profiles import Profile
from corefbench.scoring.result import Result
from corefbench.scoring.signature import CorpusContent


class ShardPair(Record, frozen=True):
    """Shards of key and response that should have the same documents."""

    key: tuple[Shard, ...]
    response: tuple[Shard, ...]

    @property
    def size(self) -> int:
        """The number of bytes to read."""
        return sum(shard.size for shard in (*self.key, *self.response))


def score_sharded(
    key: str | Path,
    response: str | Path,
    profile: Profile,
    *,
    engine: str,
    jobs: int,
    words: bool = False,
    format: str | None = None,
    advance: Callable[[int], None] | None = None,
) -> Result | None:
    """Score two files or folders; return None if they must be scored in one piece."""
    if profile.scope != "document":
        return None
    try:
        pairs = plan_shards(key, response, format, SHARD_BYTES)
        if len(pairs) < 2:
            return None
        accumulator = Accumulator(profile)
        with open_engine(engine, jobs) as workers:
            shares = workers.map(ShardScorer(profile, words=words), pairs)
            for pair, share in zip(pairs, shares, strict=True):
                accumulator.merge(share)
                if advance is not None:
                    advance(pair.size)
    except DataError:
        return None
    if any(len(set(content.labels)) < len(content.labels) for content in accumulator.hashes):
        return None
    return accumulator.result()


class ShardScorer:
    """The work on one pair of shards."""

    def __init__(self, profile: Profile, *, words: bool) -> None:
        self._profile = profile
        self._words = words

    def __call__(self, pair: ShardPair) -> Share:
        """Read and score; raise if the documents do not correspond."""
        key, response = self._read(pair.key), self._read(pair.response)
        if key.documents.labels() != response.documents.labels():
            raise NotShardable("the documents differ", code="CB201")
        accumulator = Accumulator(self._profile)
        selected = select_pair(key, response, parse_selections(self._profile.only))
        if len(selected[0]):
            accumulator.score(*selected)
        return Share(
            documents=tuple(accumulator.documents),
            tallies=accumulator.tallies(),
            warnings=accumulator.warnings,
            key=(CorpusContent.of(key, entities=False),),
            response=(CorpusContent.of(response, entities=False),),
        )

    def _read(self, shards: tuple[Shard, ...]) -> Corpus:
        reading = strict_reading(words=self._words)
        pieces = [piece for shard in shards for piece in shard.read(reading)]
        return concatenate(pieces[0].name if pieces else "", pieces)


def plan_shards(
    key: str | Path, response: str | Path, format: str | None = None, size: int = SHARD_BYTES
) -> list[ShardPair]:
    """Return pairs of shards: file by file, large ones split at the same documents."""
    keys, responses = resolve_files(key, format), resolve_files(response, format)
    if not keys or len(keys) != len(responses):
        return []
    return [ShardPair(key=some, response=others) for some, others in shard_corpus_pair(keys, responses, size)]
