"""Scoring shared out among workers: the result is, bit for bit, that of one worker.

Key and response are cut at the same documents, and every worker reads, pairs and scores its own
shards. Where that cannot be right, because documents are in another order, are missing or are
named twice, or because a file is at fault, nothing is said and all is scored in one piece: the
findings, or the error with its line, are then the usual ones.
"""

from collections.abc import Callable
from pathlib import Path

from corefbench.engine import engine_of
from corefbench.errors import DataError
from corefbench.formats.shards import BYTES, Shard, files_of, pairs_of
from corefbench.formats.sharing import Unfit, strict
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus
from corefbench.profiles import Profile
from corefbench.record import Record
from corefbench.scoring.gathering import Gathering, Share
from corefbench.scoring.result import Result
from corefbench.scoring.signature import Said


class Pair(Record, frozen=True):
    """Shards of key and response that should have the same documents."""

    key: tuple[Shard, ...]
    response: tuple[Shard, ...]

    @property
    def size(self) -> int:
        """How many bytes there are to read."""
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
    """Score two files or folders; None where they are to be scored in one piece."""
    if profile.scope != "document":
        return None
    try:
        pairs = plan(key, response, format, BYTES)
        if len(pairs) < 2:
            return None
        gathered = Gathering(profile)
        with engine_of(engine, jobs) as chosen:
            shares = chosen.map(Scoring(profile, words=words), pairs)
            for pair, share in zip(pairs, shares, strict=True):
                gathered.merge(share)
                if advance is not None:
                    advance(pair.size)
    except DataError:
        return None
    if any(len(set(content.labels)) < len(content.labels) for content in gathered.hashes):
        return None
    return gathered.result()


class Scoring:
    """What a worker does with a pair of shards."""

    def __init__(self, profile: Profile, *, words: bool) -> None:
        self._profile = profile
        self._words = words

    def __call__(self, pair: Pair) -> Share:
        """Read and score; refuse whatever is not quite as it should be."""
        key, response = self._read(pair.key), self._read(pair.response)
        if key.documents.labels() != response.documents.labels():
            raise Unfit("the documents differ", code="CB201")
        gathered = Gathering(self._profile)
        gathered.score(key, response)
        return Share(
            documents=tuple(gathered.documents),
            tallies=gathered.tallies(),
            survey=gathered.survey,
            key=(Said.by(key, entities=False),),
            response=(Said.by(response, entities=False),),
        )

    def _read(self, shards: tuple[Shard, ...]) -> Corpus:
        reading = strict(words=self._words)
        pieces = [piece for shard in shards for piece in shard.read(reading)]
        return concatenate(pieces[0].name if pieces else "", pieces)


def plan(
    key: str | Path, response: str | Path, format: str | None = None, size: int = BYTES
) -> list[Pair]:
    """Pairs of shards: the files side by side, large ones cut at the same documents."""
    keys, responses = files_of(key, format), files_of(response, format)
    if not keys or len(keys) != len(responses):
        return []
    return [Pair(key=some, response=others) for some, others in pairs_of(keys, responses, size)]
