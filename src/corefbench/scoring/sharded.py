"""Scoring shared out among workers: the result is, bit for bit, that of one worker.

Key and response are cut at the same documents, and every worker reads, pairs and scores its own
shards. Where that cannot be right, because documents are in another order, are missing or are
named twice, or because a file is at fault, nothing is said and all is scored in one piece: the
findings, or the error with its line, are then the usual ones.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

from corefbench.engine import engine_of
from corefbench.errors import DataError
from corefbench.findings import Finding, Strictness
from corefbench.formats.base import Reading
from corefbench.formats.load import readers
from corefbench.formats.shards import Cuts, Shard, cuts
from corefbench.formats.sniff import sniff
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus
from corefbench.profiles import Profile
from corefbench.record import Record
from corefbench.scoring.gathering import Gathering, Share
from corefbench.scoring.result import Result
from corefbench.scoring.signature import Said

_BYTES = 8 << 20
"""Of the key, in a shard: many enough that sending it off costs nothing, few for memory."""


class Pair(Record, frozen=True):
    """Shards of key and response that should have the same documents."""

    key: tuple[Shard, ...]
    response: tuple[Shard, ...]

    @property
    def size(self) -> int:
        """How many bytes there are to read."""
        return sum(shard.size for shard in (*self.key, *self.response))


class Unfit(DataError):
    """The shards do not go together: all is to be scored in one piece."""


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
        pairs = plan(key, response, format)
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
        reading = Reading(strictness=Strictness(report=_refuse), words=self._words)
        pieces = [piece for shard in shards for piece in shard.read(reading)]
        return concatenate(pieces[0].name if pieces else "", pieces)


def _refuse(finding: Finding) -> None:
    raise Unfit(finding.message, code=finding.code)


def plan(key: str | Path, response: str | Path, format: str | None = None) -> list[Pair]:
    """Pairs of shards: two files cut at the same documents, or the files of two folders."""
    sides = [_files(where, format) for where in (key, response)]
    if not all(sides) or len(sides[0]) != len(sides[1]):
        return []
    if len(sides[0]) > 1:
        return list(_grouped(*sides))
    keys, responses = (cuts(*side[0]) for side in sides)
    if keys is None or responses is None or len(keys.beginnings) != len(responses.beginnings):
        return []
    starts = list(_starts(keys))
    return [
        Pair(key=(one,), response=(other,))
        for one, other in zip(keys.shards(starts), responses.shards(starts), strict=True)
    ]


def _files(where: str | Path, format: str | None) -> list[tuple[Path, str]]:
    """The files to read, with their formats; none where they cannot be opened by a worker."""
    found = []
    for source, reader in readers(where, format):
        if source.path is None:
            return []
        found.append((source.path, format or (reader or sniff(source)).card.name))
    return found


def _starts(keys: Cuts) -> Iterator[int]:
    """The documents that a shard begins with."""
    last = -_BYTES
    for number, beginning in enumerate(keys.beginnings):
        if beginning - last >= _BYTES:
            yield number
            last = beginning


def _grouped(keys: list[tuple[Path, str]], responses: list[tuple[Path, str]]) -> Iterator[Pair]:
    """Files in the order of their names, as many together as make a shard."""
    edges, total = [0], 0
    for number, (path, _) in enumerate(keys, start=1):
        total += path.stat().st_size
        if total >= _BYTES or number == len(keys):
            edges.append(number)
            total = 0
    for start, end in pairwise(edges):
        yield Pair(
            key=tuple(Shard(path=path, format=name) for path, name in keys[start:end]),
            response=tuple(Shard(path=path, format=name) for path, name in responses[start:end]),
        )
