"""Convert corpora between formats and report what the target cannot hold.

Where the output format lets documents follow one another, blocks are read and written in turn and
memory does not grow with the corpus; formats with a root element, or of many files, are written
from memory. The output appears when it is complete.
"""

import gzip
import io
import itertools
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO, Protocol, cast, get_args, runtime_checkable

import numpy as np

from corefbench.corpus.combine import concatenate, empty_corpus, take_documents
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.selection import Selection, parse_selections, select
from corefbench.diagnostics import Strictness
from corefbench.errors import DataError, Place, UsageError, VerificationFailed
from corefbench.formats import formats, make
from corefbench.formats.base import Feature, FolderFormat, Format, Reading
from corefbench.formats.capabilities import find_unusual_strings, fit_to_format, unsupported_features
from corefbench.formats.load import (
    CorpusSource,
    detect_format,
    find_readers,
    find_sources,
    is_pattern,
    pattern_base,
    stream,
)
from corefbench.formats.sharding import ShardRunner
from corefbench.formats.source import Source
from corefbench.records import Columns, Record

_AMBIGUOUS_EXTENSIONS = (".xml", ".tsv", ".json")
"""Extensions that several formats have, so that the format must be named."""
_UNSAFE_CHARACTERS = re.compile(r"[^\w.+-]")


class CorpusSize(Record, frozen=True):
    """Numbers of documents, tokens, mentions and chains."""

    documents: int = 0
    tokens: int = 0
    mentions: int = 0
    chains: int = 0

    @classmethod
    def of(cls, corpus: Corpus) -> "CorpusSize":
        return cls(
            documents=len(corpus),
            tokens=len(corpus.tokens),
            mentions=len(corpus.mentions),
            chains=int((corpus.chain_sizes() > 0).sum()),
        )

    def __add__(self, other: "CorpusSize") -> "CorpusSize":
        return CorpusSize(
            documents=self.documents + other.documents,
            tokens=self.tokens + other.tokens,
            mentions=self.mentions + other.mentions,
            chains=self.chains + other.chains,
        )


class ConversionReport(Record, frozen=True):
    """What a conversion read, wrote and lost."""

    output_format: str
    files: tuple[str, ...]
    """What was written, relative to the output where that is a folder."""
    read: CorpusSize
    written: CorpusSize
    lost: dict[Feature, int]
    """What the corpus has and the format cannot hold, and how often."""

    @property
    def is_lossless(self) -> bool:
        """Whether the output holds all that the input has."""
        return not self.lost and self.read == self.written

    def lines(self) -> list[str]:
        """Describe the loss, one line per feature.

        >>> size = CorpusSize(documents=1, tokens=9, mentions=3, chains=2)
        >>> ConversionReport(
        ...     output_format="conll", files=(), read=size, written=size, lost={"heads": 3}
        ... ).lines()
        ['conll cannot hold heads: 3']
        """
        lines = [f"{self.output_format} cannot hold {feature}: {count:,}" for feature, count in self.lost.items()]
        for name in CorpusSize.__struct_fields__:
            before, after = getattr(self.read, name), getattr(self.written, name)
            if before != after:
                lines.append(f"{name}: {before:,} read, {after:,} written")
        return lines


class ConversionTotals:
    """Running totals of a conversion."""

    def __init__(self) -> None:
        self.read = CorpusSize()
        self.written = CorpusSize()
        self.lost: Counter[Feature] = Counter()

    def add(self, read: Corpus, lost: dict[Feature, int], written: Corpus) -> None:
        """Add a piece of the corpus, as it was and as it is written."""
        self.read += CorpusSize.of(read)
        self.written += CorpusSize.of(written)
        self.lost.update(lost)

    def merge(self, later: "ConversionTotals") -> None:
        """Add the totals of another part of the corpus."""
        self.read += later.read
        self.written += later.written
        self.lost.update(later.lost)


@contextmanager
def staging_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder whose files move to ``folder`` if all goes well."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".converting-", dir=folder) as name:
            scratch = Path(name)
            yield scratch
            # Replaced one by one at the end: a failed conversion leaves the old output as it was.
            for path in list_files(scratch):
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(scratch / path, target)
    except OSError as error:
        raise DataError(
            "the output cannot be written",
            code="CB006",
            place=Place(source=str(error.filename or folder)),
            found=error.strerror or str(error),
            remedy="check the path and its permissions",
        ) from error


def list_files(folder: Path) -> list[Path]:
    """The files of a folder and its sub-folders, relative to it, sorted."""
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


@contextmanager
def open_output(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write, compressed if its name ends in ``.gz``; on disk when closed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(str(path), "wb") as raw:
        if path.suffix == ".gz":
            # Without a time stamp the same input gives the same bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
                yield cast(BinaryIO, packed)
        else:
            yield raw
        raw.flush()
        os.fsync(raw.fileno())


def split_by_count(pieces: Iterable[Corpus], count: int) -> Iterator[list[Corpus]]:
    """Yield the documents in batches of ``count``; the last one may be smaller."""
    batch: list[Corpus] = []
    for piece in pieces:
        start = 0
        while start < len(piece):
            end = min(len(piece), start + count - sum(map(len, batch)))
            batch.append(_slice_documents(piece, start, end))
            start = end
            if sum(map(len, batch)) == count:
                yield batch
                batch = []
    if batch:
        yield batch


def _slice_documents(corpus: Corpus, start: int, end: int) -> Corpus:
    names, parts = corpus.documents.names, corpus.documents.parts.tolist()
    labels = list(zip(names[start:end], parts[start:end], strict=True))
    return take_documents(corpus, np.arange(start, end), labels)


@runtime_checkable
class FolderWriter(Format, Protocol):
    """A format whose documents are several files."""

    def write_folder(self, corpus: Corpus, folder: Path) -> None:
        """Write every document into the folder."""
        ...


@runtime_checkable
class PieceWriter(Format, Protocol):
    """A format that writes a file from pieces that need not all be there at once."""

    def write_pieces(self, pieces: Iterable[Corpus], stream: BinaryIO) -> None:
        """Write the documents of every piece, in order."""
        ...


def convert(
    source: CorpusSource,
    output: str | Path,
    *,
    input_format: str | None = None,
    output_format: str | None = None,
    strictness: Strictness = Strictness(),
    fail_on_loss: bool = False,
    shard_size: int | None = None,
    only: str | None = None,
    advance: Callable[[int], None] | None = None,
    engine: str = "",
    jobs: int = 1,
) -> ConversionReport:
    """Read ``source``, a file, a folder, a pattern or a corpus in memory, and write ``output``.

    An output that is a folder, or ends in a slash, gets a file for each file of a folder, under its
    name, or for each document of a file; with ``shard_size``, numbered files of so many documents,
    whatever the source. A mention that the format cannot hold is left out; see ``fit_to_format``.
    With ``fail_on_loss`` nothing is written unless everything can be. ``only`` selects documents and
    mentions (``kind=event``). ``jobs`` workers of an
    ``engine`` share large files and folders where the output is one file; the result does not
    depend on their number.
    """
    target = _choose_output_format(output, output_format)
    reading = Reading(strictness=strictness, advance=advance)
    shards = ShardRunner(format=input_format, engine=engine, jobs=jobs, advance=advance)
    path = Path(output)
    is_folder = str(output).endswith(("/", "\\")) or path.is_dir()
    is_folder |= isinstance(target, FolderWriter) and not path.suffix
    conversion = _Conversion(
        target,
        fail_on_loss,
        parse_selections(only or ""),
        is_folder=is_folder and isinstance(target, FolderWriter),
    )
    if shard_size is not None and (not is_folder or isinstance(target, FolderWriter)):
        raise UsageError(
            "numbered files go into a folder, in a format of one file",
            found=str(output),
            expected="a folder, or a name that ends in /",
        )
    pieces = conversion.select(stream(source, format=input_format, reading=reading))
    with staging_folder(path if is_folder else path.parent) as scratch:
        if not is_folder:
            if not conversion.write_in_parallel(source, scratch / path.name, shards):
                conversion.write_file(pieces, scratch / path.name)
        elif isinstance(target, FolderWriter):
            conversion.write_folder(pieces, _output_stem(source), scratch)
        elif shard_size is not None:
            for number, batch in enumerate(split_by_count(pieces, shard_size)):
                name = f"{_output_stem(source)}-{number:05d}{conversion.extension}"
                conversion.write_file(batch, scratch / name)
        elif isinstance(source, str | Path) and (is_pattern(source) or Path(source).is_dir()):
            conversion.write_file_by_file(source, input_format, reading, scratch)
        else:
            conversion.write_documents(pieces, scratch)
        report = conversion.report(scratch)
        if not is_folder:
            _require_no_overwriting(path, report.files)
        if fail_on_loss and not report.is_lossless:
            raise VerificationFailed(
                "the output format cannot hold everything, and nothing was written",
                code="CB150",
                found="; ".join(report.lines()),
                remedy="choose a format that can, or leave out --fail-on-loss",
            )
    return report


def _require_no_overwriting(output: Path, files: Iterable[str]) -> None:
    """Raise if a file that the format writes beside the output is there and is none of its own."""
    beside = [output.with_name(name) for name in files if name != output.name]
    existing = [path for path in beside if path.exists()]
    # Where the output itself is there, these are the files of an earlier conversion.
    if existing and not output.exists():
        raise UsageError(
            "a file that nobody named would be overwritten",
            found=str(existing[0]),
            expected=f"no such file beside {output.name}",
            remedy="choose another name for the output",
        )


class _Conversion:
    """Writes corpora in one format and counts what is lost."""

    def __init__(
        self, target: Format, fail_on_loss: bool, only: tuple[Selection, ...] = (), *, is_folder: bool = False
    ) -> None:
        self.target = target
        self.is_folder = is_folder
        self.extension = target.card.extensions[0] if target.card.extensions else ""
        self.fail_on_loss = fail_on_loss
        self.only = only
        self.totals = ConversionTotals()

    def select(self, pieces: Iterable[Corpus]) -> Iterator[Corpus]:
        """Yield what is selected of the pieces; pieces without a selected document are left out."""
        for piece in pieces:
            selected = select(piece, self.only)
            if len(selected) or not len(piece):
                yield selected

    def fit(self, pieces: Iterable[Corpus]) -> Iterator[Corpus]:
        """Yield the pieces cut down to what the format holds, and count them."""
        card = self.target.card
        for piece in pieces:
            fitted = fit_to_format(piece, card.holds)
            lost = unsupported_features(piece, card)
            altered = _count_altered_strings(fitted, self.target, is_folder=self.is_folder)
            self.totals.add(piece, altered | lost, fitted)
            # After the first loss nothing will be kept, but counting goes on.
            if not (self.fail_on_loss and self.totals.lost):
                yield fitted

    def write_file(self, pieces: Iterable[Corpus], path: Path) -> None:
        """Write one file, piece by piece where the format allows it."""
        fitted = self.fit(pieces)
        with open_output(path) as output:
            if self.target.card.appends:
                for piece in fitted:
                    self.target.write(piece, output)
            elif isinstance(self.target, PieceWriter):
                self.target.write_pieces(fitted, output)
            elif corpora := list(fitted):
                self.target.write(concatenate(path.stem, corpora), output)

    def write_in_parallel(self, source: CorpusSource, path: Path, shards: ShardRunner) -> bool:
        """Write one file, of which every worker makes a part; return whether that was possible."""
        if not shards.is_parallel or self.fail_on_loss or not self.target.card.by_document:
            return False
        totals = ConversionTotals()
        try:
            with open_output(path) as output:
                for part in shards.map(partial(_convert_part, self.target, self.only), source):
                    output.write(part.content)
                    totals.merge(part.totals)
        except DataError:
            path.unlink(missing_ok=True)
            return False
        self.totals = totals
        return True

    def write_folder(self, pieces: Iterable[Corpus], name: str, scratch: Path) -> None:
        """Write the files that the format itself makes of a corpus."""
        corpora = list(self.fit(pieces))
        if corpora and isinstance(self.target, FolderWriter):
            self.target.write_folder(concatenate(name, corpora), scratch)

    def write_file_by_file(self, where: str | Path, format: str | None, reading: Reading, scratch: Path) -> None:
        """Write a file for each file of a folder or pattern, under its name."""
        folder = pattern_base(where) if is_pattern(where) else Path(where)
        used: set[Path] = set()
        for source, reader in find_readers(where, format):
            path = Path(source.name).relative_to(folder)
            name = path.with_name(source.stem + self.extension)
            if name in used:
                name = path.with_name(path.name + self.extension)
            used.add(name)
            pieces = (reader or detect_format(source)).read(source, reading)
            selected = self.select(pieces)
            # A file of which no document is selected is not written.
            first = next(selected, None)
            if first is not None or not self.only:
                self.write_file(itertools.chain([first] if first is not None else [], selected), scratch / name)

    def write_documents(self, pieces: Iterable[Corpus], scratch: Path) -> None:
        """Write a file for each document, under the document's name."""
        used: Counter[str] = Counter()
        for piece in pieces:
            for index, label in enumerate(piece.documents.labels()):
                name = _UNSAFE_CHARACTERS.sub("_", label).lstrip(".") or "document"
                used[name] += 1
                number = f"-{used[name]}" if used[name] > 1 else ""
                document = _slice_documents(piece, index, index + 1)
                self.write_file([document], scratch / f"{name}{number}{self.extension}")

    def report(self, scratch: Path) -> ConversionReport:
        """Report what was written; the files of formats that select mentions are read again."""
        files, totals, card = list_files(scratch), self.totals, self.target.card
        keeps_all = {"words", "singletons"} <= card.holds and not card.selects
        is_refused = self.fail_on_loss and totals.lost
        return ConversionReport(
            output_format=card.name,
            files=tuple(map(str, files)),
            read=totals.read,
            written=totals.written if keeps_all or is_refused else self._read_sizes(scratch / file for file in files),
            lost={f: totals.lost[f] for f in get_args(Feature) if totals.lost[f]},
        )

    def _read_sizes(self, files: Iterable[Path]) -> CorpusSize:
        size = CorpusSize()
        for file in files:
            try:
                for piece in self.target.read(Source.of(file), Reading()):
                    size += CorpusSize.of(piece)
            except DataError:  # nothing of the corpus fits the format, and the file is empty
                continue
        return size


def _count_altered_strings(corpus: Corpus, target: Format, *, is_folder: bool) -> Counter[Feature]:
    """Count the strings that are not what they were when written in the format and read again.

    What a card says a format holds is true of ordinary words and names. White space, control
    characters and empty words are another matter, and differ from format to format, so documents
    that have them are written and read on their own.
    """
    altered: Counter[Feature] = Counter()
    if target.card.selects:
        return altered
    for document, unusual in find_unusual_strings(corpus, target.card, is_folder=is_folder).items():
        single = _slice_documents(corpus, document, document + 1)
        again = _round_trip(single, target, is_folder=is_folder)
        for feature, column, rows in unusual:
            before, after = _string_column(single, feature, column), _string_column(again, feature, column)
            is_aligned = len(before) == len(after)
            count = sum(not is_aligned or before[row] != after[row] for row in rows)
            altered.update({feature: count} if count else {})
    return altered


def _string_column(corpus: Corpus, feature: Feature, column: str) -> Sequence[str]:
    if feature == "document names":
        # CoNLL has no document without a part, and some formats have no parts but in names.
        return [label.removesuffix("_0") for label in corpus.documents.labels()]
    strings = corpus.tokens.words if feature == "words" else corpus.tokens.columns.get(column)
    return list(strings) if strings is not None else []


def _round_trip(corpus: Corpus, target: Format, *, is_folder: bool) -> Corpus:
    """Write a corpus and read it again; return an empty one if it cannot be read."""
    try:
        if not (is_folder and isinstance(target, FolderWriter)):
            stream = io.BytesIO()
            target.write(corpus, stream)
            return concatenate("", list(target.read(Source.of(stream.getvalue()), Reading())))
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            target.write_folder(corpus, folder)
            paths = target.documents_in(folder) if isinstance(target, FolderFormat) else []
            sources = [*map(Source.of, paths)] or find_sources(folder)
            return concatenate("", [piece for source in sources for piece in target.read(source, Reading())])
    except DataError:
        return empty_corpus("")


class _WorkerOutput(Columns, frozen=True, eq=False):
    """What a worker has written."""

    content: bytes
    totals: ConversionTotals


def _convert_part(target: Format, only: tuple[Selection, ...], pieces: Iterable[Corpus]) -> _WorkerOutput:
    conversion, output = _Conversion(target, fail_on_loss=False, only=only), io.BytesIO()
    for piece in conversion.fit(conversion.select(pieces)):
        target.write(piece, output)
    return _WorkerOutput(content=output.getvalue(), totals=conversion.totals)


def _choose_output_format(output: str | Path, name: str | None) -> Format:
    """Return the named format, or the first one that has the extension of the output."""
    if name:
        target = make(name)
        if not _can_write(target):
            raise UsageError(f"{target.card.name} is read only", remedy="choose another format")
        return target
    file_name = str(output).removesuffix(".gz")
    for candidate in (formats[each]() for each in formats):
        if file_name.endswith(_AMBIGUOUS_EXTENSIONS):
            break
        if _can_write(candidate) and file_name.endswith(candidate.card.extensions or ("\0",)):
            return candidate
    raise UsageError(
        "no output format given",
        found=str(output),
        expected="a file with the extension of one format, or --output-format",
        remedy="--output-format with one of: " + ", ".join(formats),
    )


def _can_write(format: Format) -> bool:
    return format.card.writes or isinstance(format, FolderWriter)


def _output_stem(source: CorpusSource) -> str:
    if isinstance(source, Corpus):
        return source.name
    if isinstance(source, bytes):
        return "memory"
    name = pattern_base(source).name if is_pattern(source) else Source(name=str(source)).stem
    return _UNSAFE_CHARACTERS.sub("_", name).lstrip(".") or "corpus"
