"""A corpus described: its counts, whole and by genre, and what training has of its words."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TypeAlias

from corefbench.errors import DataError, Place
from corefbench.findings import Strictness
from corefbench.formats.base import Reading
from corefbench.formats.load import stream
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
) -> Description:
    """Count a corpus: a file, a folder or a corpus in memory.

    It is read a block at a time, and the counts added; a wider scope than ``document`` needs the
    corpus whole, because it joins the chains of different blocks.

    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 left -\\n#end document\\n"
    >>> describe(text).counts.inventory.mentions
    1
    """
    reading = Reading(strictness=strictness, advance=advance)
    training = None if train is None else learn(_blocks(train, format, reading))
    counted = partial(
        count,
        scope=scope,
        known=None if training is None else training.words,
        low_frequency=low_frequency,
    )
    chosen = tuple(only)
    blocks: Iterator[Corpus] = (select(block, chosen) for block in _blocks(where, format, reading))
    if scope != "document":
        blocks = iter([concatenate(_name(where), list(blocks))])
    total, groups = _sum(blocks, by, counted)
    if not total.inventory.documents:
        raise DataError("there is no document to count", code="CB102", place=_place(where))
    return Description(
        name=_name(where),
        counts=total,
        groups=dict(sorted(groups.items())) if by != "document" else groups,
        by=by,
        scope=scope,
        training=training,
        low_frequency=low_frequency,
    )


def _sum(
    blocks: Iterator[Corpus], by: str, counted: Callable[[Corpus], Counts]
) -> tuple[Counts, dict[str, Counts]]:
    total, groups = Counts(), dict[str, Counts]()
    for block in blocks:
        total += counted(block)
        for name, part in split(block, by).items() if by else ():
            groups[name] = groups.get(name, Counts()) + counted(part)
    return total, groups


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
