"""Describe a corpus: its counts, overall and by genre, and its overlap with training data."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from corefbench.analysis.statistics.counts import LOW_FREQUENCY, TrainingVocabulary, learn_vocabulary
from corefbench.analysis.statistics.figures import Counts, count_corpus
from corefbench.analysis.statistics.selection import Selection, select, split_documents
from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import Scope
from corefbench.diagnostics import Strictness
from corefbench.errors import DataError, Place
from corefbench.formats.base import Reading
from corefbench.formats.load import CorpusSource, stream
from corefbench.formats.sharding import ShardRunner
from corefbench.records import Record


class Description(Record, frozen=True):
    """The counts of a corpus, and the settings they depend on."""

    name: str
    counts: Counts
    groups: Mapping[str, Counts] = {}
    by: str = ""
    scope: Scope = "document"
    training: TrainingVocabulary | None = None
    low_frequency: int = LOW_FREQUENCY


def describe(
    corpus: CorpusSource,
    *,
    train: CorpusSource | None = None,
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

    The corpus is read a block at a time, and the counts of blocks add up. A wider scope than
    ``document`` needs the whole corpus, because it joins the chains of different blocks. ``jobs``
    workers of an ``engine`` share large files and folders; the counts do not depend on how many.

    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 left -\\n#end document\\n"
    >>> describe(text).counts.inventory.mentions
    1
    """
    read = partial(stream, format=format, reading=Reading(strictness=strictness, advance=advance))
    shards = ShardRunner(format=format, engine=engine, jobs=jobs, advance=advance)
    training = None
    if train is not None:
        training = shards.map_sum(learn_vocabulary, train) or learn_vocabulary(read(train))
    count = partial(
        count_corpus, scope=scope, known=None if training is None else training.words, low_frequency=low_frequency
    )
    sum_blocks = partial(_sum_blocks, only=tuple(only), by=by, count=count)
    name = _source_name(corpus)
    if scope == "document":
        sums = shards.map_sum(sum_blocks, corpus) or sum_blocks(read(corpus))
    else:
        selected = [select(block, tuple(only)) for block in read(corpus)]
        sums = _sum_blocks([concatenate(name, selected)], by=by, count=count)
    if not sums.total.inventory.documents:
        raise DataError("the corpus has no documents", code="CB102", place=Place(source=name))
    return Description(
        name=name,
        counts=sums.total,
        groups=dict(sorted(sums.groups.items())) if by != "document" else sums.groups,
        by=by,
        scope=scope,
        training=training,
        low_frequency=low_frequency,
    )


class _Sums(Record, frozen=True):
    """The counts of some blocks, overall and by group."""

    total: Counts = Counts()
    groups: dict[str, Counts] = {}  # noqa: RUF012

    def __add__(self, other: "_Sums") -> "_Sums":
        groups = dict(self.groups)
        for name, counts in other.groups.items():
            groups[name] = groups.get(name, Counts()) + counts
        return _Sums(total=self.total + other.total, groups=groups)


def _sum_blocks(
    blocks: Iterable[Corpus], *, by: str, count: Callable[[Corpus], Counts], only: tuple[Selection, ...] = ()
) -> _Sums:
    sums = _Sums()
    for block in blocks:
        chosen = select(block, only)
        parts = split_documents(chosen, by).items() if by else ()
        groups = {name: count(part) for name, part in parts}
        sums += _Sums(total=count(chosen), groups=groups)
    return sums


def _source_name(source: CorpusSource) -> str:
    if isinstance(source, Corpus):
        return source.name
    if isinstance(source, bytes):
        return "memory"
    return Path(source).name or str(source)
