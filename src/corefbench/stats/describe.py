"""A corpus described: its counts, whole and by genre, and what training has of its words."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TypeAlias

from corefbench.errors import DataError, Place
from corefbench.findings import Strictness
from corefbench.formats.base import Reading
from corefbench.formats.load import stream
from corefbench.formats.sharing import Sharing
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus
from corefbench.record import Record
from corefbench.scope import Scope
from corefbench.stats.counts import Counts, count
from corefbench.stats.groups import split
from corefbench.stats.selection import Selection, select
from corefbench.stats.vocabulary import LOW_FREQUENCY, Training, learn

Where: TypeAlias = str | Path | bytes | Corpus


class Description(Record, frozen=True):
    """The counts of a corpus, and what they were taken with."""

    name: str
    counts: Counts
    groups: Mapping[str, Counts] = {}
    by: str = ""
    scope: Scope = "document"
    training: Training | None = None
    low_frequency: int = LOW_FREQUENCY


def describe(
    where: Where,
    *,
    train: Where | None = None,
    by: str = "",
    scope: Scope = "document",
    only: Iterable[Selection] = (),
    format: str | None = None,
    strictness: Strictness = Strictness(),
    low_frequency: int = LOW_FREQUENCY,
    advance: Callable[[int], None] | None = None,
    engine: str = "",
    jobs: int = 1,
) -> Description:
    """Count a corpus: a file, a folder or a corpus in memory.

    It is read a block at a time, and the counts added; a wider scope than ``document`` needs the
    corpus whole, because it joins the chains of different blocks. ``jobs`` workers of an ``engine``
    share large files and folders; the counts do not depend on how many.

    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 left -\\n#end document\\n"
    >>> describe(text).counts.inventory.mentions
    1
    """
    reading = Reading(strictness=strictness, advance=advance)
    sharing = Sharing(format=format, engine=engine, jobs=jobs, advance=advance)
    training = None
    if train is not None:
        training = sharing.added(learn, train) or learn(_blocks(train, format, reading))
    counted = partial(
        count,
        scope=scope,
        known=None if training is None else training.words,
        low_frequency=low_frequency,
    )
    summed = partial(_sum, only=tuple(only), by=by, counted=counted)
    if scope == "document":
        sums = sharing.added(summed, where) or summed(_blocks(where, format, reading))
    else:
        pieces = [select(block, tuple(only)) for block in _blocks(where, format, reading)]
        sums = _sum([concatenate(_name(where), pieces)], by=by, counted=counted)
    if not sums.total.inventory.documents:
        raise DataError("there is no document to count", code="CB102", place=_place(where))
    return Description(
        name=_name(where),
        counts=sums.total,
        groups=dict(sorted(sums.groups.items())) if by != "document" else sums.groups,
        by=by,
        scope=scope,
        training=training,
        low_frequency=low_frequency,
    )


class _Sums(Record, frozen=True):
    """The counts of some blocks, whole and by group."""

    total: Counts = Counts()
    groups: dict[str, Counts] = {}  # noqa: RUF012

    def __add__(self, other: "_Sums") -> "_Sums":
        groups = dict(self.groups)
        for name, counts in other.groups.items():
            groups[name] = groups.get(name, Counts()) + counts
        return _Sums(total=self.total + other.total, groups=groups)


def _sum(
    blocks: Iterable[Corpus],
    *,
    by: str,
    counted: Callable[[Corpus], Counts],
    only: tuple[Selection, ...] = (),
) -> _Sums:
    sums = _Sums()
    for block in blocks:
        chosen = select(block, only)
        parts = split(chosen, by).items() if by else ()
        groups = {name: counted(part) for name, part in parts}
        sums += _Sums(total=counted(chosen), groups=groups)
    return sums


def _blocks(where: Where, format: str | None, reading: Reading) -> Iterator[Corpus]:
    if isinstance(where, Corpus):
        return iter([where])
    return stream(where, format=format, reading=reading)


def _name(where: Where) -> str:
    if isinstance(where, Corpus):
        return where.name
    if isinstance(where, bytes):
        return "memory"
    return Path(where).name or str(where)


def _place(where: Where) -> Place:
    return Place(source=_name(where))
