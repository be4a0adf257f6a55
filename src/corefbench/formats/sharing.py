"""Work on a corpus shared out among workers, shard by shard.

Every worker reads its own shards, strictly. Where anything is to be said of a file, the corpus is
to be read in one piece instead, so that findings and errors have the lines of the whole file: the
caller hears ``Unfit``, or the error of a worker, both of which are ``DataError``.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any, Generic, TypeVar

from corefbench.engine import is_shared, map_documents
from corefbench.errors import DataError
from corefbench.findings import Finding, Strictness
from corefbench.formats import shards as cutting
from corefbench.formats.base import Reading
from corefbench.formats.shards import Shard
from corefbench.model.corpus import Corpus
from corefbench.record import Record

R = TypeVar("R")
Adds = TypeVar("Adds", bound=Any)


class Unfit(DataError):
    """The work cannot be shared out: it is to be done in one piece."""


class _Work(Generic[R]):
    """What a worker does with shards that go together."""

    def __init__(self, work: Callable[[Iterable[Corpus]], R], *, words: bool) -> None:
        self._work = work
        self._words = words

    def __call__(self, shards: tuple[Shard, ...]) -> R:
        reading = strict(words=self._words)
        return self._work(piece for shard in shards for piece in shard.read(reading))


class Sharing(Record, frozen=True):
    """With whom work is shared, and how the corpora are read."""

    format: str | None = None
    engine: str = ""
    jobs: int = 1
    words: bool = True
    advance: Callable[[int], None] | None = None

    @property
    def is_with_others(self) -> bool:
        """Whether there is any other worker.

        >>> Sharing(jobs=1).is_with_others, Sharing(jobs=2).is_with_others
        (False, True)
        """
        return is_shared(self.engine, self.jobs)

    def each(self, work: Callable[[Iterable[Corpus]], R], where: object) -> Iterator[R]:
        """What ``work`` makes of the pieces of each shard, in the order of the corpus."""
        if not self.is_with_others or not isinstance(where, str | Path):
            raise Unfit("there is nobody to share with, or nothing on disk to share")
        shards = cutting.shards_of(where, self.format, cutting.BYTES)
        if len(shards) < 2:
            raise Unfit("there are no two shards")
        doing = _Work(work, words=self.words)
        results = map_documents(doing, shards, engine=self.engine, jobs=self.jobs)
        for some, result in zip(shards, results, strict=True):
            yield result
            if self.advance is not None:
                self.advance(sum(shard.size for shard in some))

    def added(self, work: Callable[[Iterable[Corpus]], Adds], where: object) -> Adds | None:
        """The sum of what ``work`` makes of each shard; None where all is to be done in one piece.

        Nothing of a failed attempt stays, but for the progress that was told of.
        """
        try:
            return reduce(add, self.each(work, where))
        except DataError:
            return None


def strict(*, words: bool) -> Reading:
    """Reading that refuses whatever there is to be said of a file."""
    return Reading(strictness=Strictness(report=_refuse), words=words)


def _refuse(finding: Finding) -> None:
    raise Unfit(finding.message, code=finding.code)
