"""Describe a corpus: its counts, overall and by genre, and its overlap with training data."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from corefbench.analysis.statistics.counts import LOW_FREQUENCY, TrainingVocabulary, learn_vocabulary
from corefbench.analysis.statistics.figures import Counts, count_corpus
from corefbench.corpus.combine import concatenate, keep_mentions, take_documents
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import Scope, group_names
from corefbench.diagnostics import Strictness
from corefbench.errors import DataError, Place, UsageError
from corefbench.formats.base import Reading
from corefbench.formats.load import CorpusSource, stream
from corefbench.formats.sharding import ShardRunner
from corefbench.records import Record

_GUM = re.compile(r"(?:GUM|GENTLE|AMALGUM)_([a-z]+)_")
UNKNOWN = "unknown"
"""The genre of documents that have none."""


class Selection(Record, frozen=True):
    """The values that an attribute of mentions or documents may have.

    >>> Selection.parse("topic=36,37").values == {"36", "37"}
    True
    """

    attribute: str
    values: frozenset[str]

    @classmethod
    def parse(cls, text: str) -> "Selection":
        """Parse ``NAME=VALUE,VALUE…``, or ``NAME=@FILE`` with one value per line."""
        name, equals, values = text.partition("=")
        if not (name and equals and values):
            raise UsageError("invalid selection", found=text, expected="NAME=VALUE,VALUE… or NAME=@FILE")
        allowed = _read_lines(values[1:]) if values.startswith("@") else values.split(",")
        return cls(attribute=name, values=frozenset(allowed))


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


def genre_from_name(name: str) -> str:
    """Guess the genre from a document's name.

    It is the first folder of an OntoNotes name, or the second word of a GUM name.

    >>> [genre_from_name(name) for name in ("bn/abc/00/abc_0001", "GUM_news_iodine", "d1")]
    ['bn', 'news', 'unknown']
    """
    gum = _GUM.match(name)
    if gum:
        return gum[1]
    first, slash, _ = name.removeprefix("./").partition("/")
    return first if slash and first else UNKNOWN


def document_attribute(corpus: Corpus, name: str) -> list[str]:
    """Return the value of an attribute for each document: ``document``, or one of its columns.

    Without such columns, ``genre``, ``topic`` and ``subtopic`` are derived from document names.
    """
    if name not in attribute_names(corpus):
        raise UsageError(
            f"documents of {corpus.name} have no attribute {name!r}", expected=", ".join(attribute_names(corpus))
        )
    column = corpus.documents.columns.get(name)
    if column is not None:
        return [value or UNKNOWN for value in column]
    if name == "genre":
        return [genre_from_name(document) for document in corpus.documents.names]
    if name == "document":
        return list(corpus.documents.labels())
    return group_names(corpus, "topic" if name == "topic" else "subtopic")


def attribute_names(corpus: Corpus) -> list[str]:
    """Return the attributes that documents of the corpus can be grouped by."""
    always = ("document", "genre", "topic", "subtopic")
    return list(dict.fromkeys([*always, *sorted(corpus.documents.columns)]))


def split_documents(corpus: Corpus, name: str) -> dict[str, Corpus]:
    """Split a corpus by the values of an attribute."""
    values = np.array(document_attribute(corpus, name), object)
    return {value: take_documents(corpus, np.flatnonzero(values == value)) for value in dict.fromkeys(values.tolist())}


def select(corpus: Corpus, selections: tuple[Selection, ...]) -> Corpus:
    """Keep the documents and mentions that satisfy all selections.

    A selection that names a column of the mentions filters mentions, any other filters documents.
    """
    for selection in selections:
        column = corpus.mentions.columns.get(selection.attribute)
        if column is not None:
            kept = [value in selection.values for value in column]
            corpus = keep_mentions(corpus, np.array(kept, np.bool_))
        elif selection.attribute in attribute_names(corpus) or len(corpus.mentions):
            # A block without mentions has no columns of them: there an unknown name is no error.
            values = document_attribute(corpus, selection.attribute)
            corpus = take_documents(corpus, np.flatnonzero([value in selection.values for value in values]))
    return corpus


def _read_lines(path: str) -> list[str]:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError("the list of values cannot be read", place=Place(source=path), found=str(error)) from error
    return [line.strip() for line in text.splitlines() if line.strip()]
