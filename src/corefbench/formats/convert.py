"""Conversion between any two formats, with an account of what the target cannot hold.

Where the output format lets documents follow one another, blocks are read and written in turn and
memory does not grow with the corpus; formats with a root element, or of many files, are written
from memory. The output appears when it is complete.
"""

import io
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, Protocol, get_args, runtime_checkable

import numpy as np

from corefbench.errors import DataError, UsageError, VerificationFailed
from corefbench.findings import Strictness
from corefbench.formats import formats, make
from corefbench.formats.account import Account, Ledger, Size
from corefbench.formats.base import Feature, Format, Reading
from corefbench.formats.features import beyond
from corefbench.formats.fit import fit
from corefbench.formats.load import readers, stream
from corefbench.formats.numbered import lots
from corefbench.formats.patterns import base_of, is_pattern
from corefbench.formats.sharing import Sharing
from corefbench.formats.sniff import sniff
from corefbench.formats.source import Source
from corefbench.formats.staging import open_output, staged, written
from corefbench.model.assemble import concatenate, take_documents
from corefbench.model.corpus import Corpus
from corefbench.record import Columns

_SHARED = (".xml", ".tsv", ".json")
"""Endings that several formats have: the format must be named."""
_UNSAFE = re.compile(r"[^\w.+-]")


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
    source: str | Path | bytes | Corpus,
    output: str | Path,
    *,
    input_format: str | None = None,
    output_format: str | None = None,
    strictness: Strictness = Strictness(),
    fail_on_loss: bool = False,
    shard_size: int | None = None,
    advance: Callable[[int], None] | None = None,
    engine: str = "",
    jobs: int = 1,
) -> Account:
    """Read ``source``, a file, a folder, a pattern or a corpus in memory, and write ``output``.

    An output that is a folder, or ends in a slash, gets a file for each file of a folder, under its
    name, or for each document of a file; with ``shard_size``, numbered files of so many documents,
    whatever the source. A mention the format cannot say is left out; see ``fit``.
    With ``fail_on_loss`` nothing is written unless everything can be. ``jobs`` workers of an
    ``engine`` share large files and folders where the output is one file; it does not depend on
    how many.
    """
    target = _target(output, output_format)
    reading = Reading(strictness=strictness, advance=advance)
    sharing = Sharing(format=input_format, engine=engine, jobs=jobs, advance=advance)
    conversion = _Conversion(target, fail_on_loss)
    folder = _is_folder(output) or (isinstance(target, FolderWriter) and not Path(output).suffix)
    place = Path(output)
    if shard_size is not None and (not folder or isinstance(target, FolderWriter)):
        raise UsageError(
            "numbered files go into a folder, in a format of one file",
            found=str(output),
            expected="a folder, or a name that ends in /",
        )
    with staged(place if folder else place.parent) as scratch:
        if not folder:
            if not conversion.shared(source, scratch / place.name, sharing):
                conversion.file(_pieces(source, input_format, reading), scratch / place.name)
        elif isinstance(target, FolderWriter):
            conversion.folder(_pieces(source, input_format, reading), _stem(source), scratch)
        elif shard_size is not None:
            pieces = _pieces(source, input_format, reading)
            conversion.numbered(lots(pieces, shard_size), _stem(source), scratch)
        elif isinstance(source, str | Path) and (is_pattern(source) or Path(source).is_dir()):
            conversion.files(source, input_format, reading, scratch)
        else:
            conversion.documents(_pieces(source, input_format, reading), scratch)
        account = conversion.account(scratch)
        if fail_on_loss and not account.is_lossless:
            raise VerificationFailed(
                "the output format cannot hold everything, and nothing was written",
                code="CB150",
                found="; ".join(account.lines()),
                remedy="choose a format that can, or leave out --fail-on-loss",
            )
    return account


class _Conversion:
    """One conversion under way."""

    def __init__(self, target: Format, fail_on_loss: bool) -> None:
        self.target = target
        self.extension = target.card.extensions[0] if target.card.extensions else ""
        self.fail_on_loss = fail_on_loss
        self.ledger = Ledger()

    def fitted(self, pieces: Iterable[Corpus]) -> Iterator[Corpus]:
        """The pieces cut down to what the format holds, entered in the account."""
        card = self.target.card
        for piece in pieces:
            lost = beyond(piece, card)
            fitting = fit(piece, card.holds)
            self.ledger.enter(piece, lost, fitting)
            # What will not be kept need not be written; the account goes on.
            if not (self.fail_on_loss and self.ledger.lost):
                yield fitting

    def file(self, pieces: Iterable[Corpus], path: Path) -> None:
        """One file of all the pieces, in turn where the format allows it."""
        fitting = self.fitted(pieces)
        with open_output(path) as output:
            if self.target.card.appends:
                for piece in fitting:
                    self.target.write(piece, output)
            elif isinstance(self.target, PieceWriter):
                self.target.write_pieces(fitting, output)
            else:
                self._write_whole(list(fitting), path.stem, output)

    def shared(self, source: str | Path | bytes | Corpus, path: Path, sharing: Sharing) -> bool:
        """One file, of which workers write each a part; whether it was done."""
        if not sharing.is_with_others or self.fail_on_loss or not self.target.card.by_document:
            return False
        ledger = Ledger()
        try:
            with open_output(path) as output:
                for part in sharing.each(partial(_part, self.target), source):
                    output.write(part.content)
                    ledger.merge(part.ledger)
        except DataError:
            path.unlink(missing_ok=True)
            return False
        self.ledger = ledger
        return True

    def _write_whole(self, pieces: list[Corpus], name: str, output: BinaryIO) -> None:
        if pieces:
            self.target.write(concatenate(name, pieces), output)

    def folder(self, pieces: Iterable[Corpus], name: str, scratch: Path) -> None:
        """The files that the format itself makes of a corpus."""
        fitting = list(self.fitted(pieces))
        if fitting and isinstance(self.target, FolderWriter):
            self.target.write_folder(concatenate(name, fitting), scratch)

    def numbered(self, pieces: Iterable[list[Corpus]], name: str, scratch: Path) -> None:
        """A file for each lot of documents."""
        for number, lot in enumerate(pieces):
            self.file(lot, scratch / f"{name}-{number:05d}{self.extension}")

    def files(self, where: str | Path, format: str | None, reading: Reading, scratch: Path) -> None:
        """A file for each file of a folder or pattern, under its name."""
        folder = base_of(where) if is_pattern(where) else Path(where)
        taken: set[Path] = set()
        for source, reader in readers(where, format):
            name = _renamed(Path(source.name).relative_to(folder), self.extension)
            if name in taken:
                name = name.with_name(Path(source.name).name + self.extension)
            taken.add(name)
            self.file((reader or sniff(source)).read(source, reading), scratch / name)

    def documents(self, pieces: Iterable[Corpus], scratch: Path) -> None:
        """A file for each document, under the document's name."""
        taken: dict[str, int] = {}
        for piece in pieces:
            for index, label in enumerate(piece.documents.labels()):
                one = take_documents(
                    piece,
                    np.array([index]),
                    [(piece.documents.names[index], int(piece.documents.parts[index]))],
                )
                name = _UNSAFE.sub("_", label).lstrip(".") or "document"
                taken[name] = taken.get(name, 0) + 1
                again = f"-{taken[name]}" if taken[name] > 1 else ""
                self.file([one], scratch / f"{name}{again}{self.extension}")

    def account(self, scratch: Path) -> Account:
        """What was done. A format that leaves things out is asked what it has said."""
        files = written(scratch)
        refused = self.fail_on_loss and self.ledger.lost
        card = self.target.card
        knows_all = {"words", "singletons"} <= card.holds and not card.selects
        return Account(
            output_format=self.target.card.name,
            files=tuple(map(str, files)),
            read=self.ledger.read,
            written=self.ledger.written
            if knows_all or refused
            else self._reread(scratch / file for file in files),
            lost={f: self.ledger.lost[f] for f in get_args(Feature) if self.ledger.lost[f]},
        )

    def _reread(self, files: Iterable[Path]) -> Size:
        size = Size()
        for file in files:
            try:
                for piece in self.target.read(Source.of(file), Reading()):
                    size += Size.of(piece)
            except DataError:  # nothing of the corpus fits the format, and the file is empty
                continue
        return size


class _Part(Columns, frozen=True, eq=False):
    """What a worker has written."""

    content: bytes
    ledger: Ledger


def _part(target: Format, pieces: Iterable[Corpus]) -> _Part:
    conversion, output = _Conversion(target, fail_on_loss=False), io.BytesIO()
    for piece in conversion.fitted(pieces):
        target.write(piece, output)
    return _Part(content=output.getvalue(), ledger=conversion.ledger)


def _pieces(
    source: str | Path | bytes | Corpus, format: str | None, reading: Reading
) -> Iterator[Corpus]:
    if isinstance(source, Corpus):
        return iter([source])
    return stream(source, format=format, reading=reading)


def _target(output: str | Path, name: str | None) -> Format:
    """The format asked for, or the first one that ends its files as the output's name does."""
    if name:
        target = make(name)
        if not _writes(target):
            raise UsageError(f"{target.card.name} is read only", remedy="choose another format")
        return target
    ending = str(output).removesuffix(".gz")
    for candidate in (formats[each]() for each in formats):
        if ending.endswith(_SHARED):
            break
        if _writes(candidate) and ending.endswith(candidate.card.extensions or ("\0",)):
            return candidate
    raise UsageError(
        "the format to write is not said",
        found=str(output),
        expected="a file whose name ends as those of one format do, or --output-format",
        remedy="--output-format with one of: " + ", ".join(formats),
    )


def _writes(form: Format) -> bool:
    return form.card.writes or isinstance(form, FolderWriter)


def _is_folder(output: str | Path) -> bool:
    return str(output).endswith(("/", "\\")) or Path(output).is_dir()


def _renamed(path: Path, extension: str) -> Path:
    name = path.name.removesuffix(".gz")
    return path.with_name((name.rsplit(".", 1)[0] if "." in name.lstrip(".") else name) + extension)


def _stem(source: str | Path | bytes | Corpus) -> str:
    if isinstance(source, Corpus):
        return source.name
    if isinstance(source, bytes):
        return "memory"
    name = base_of(source).name if is_pattern(source) else Source.of(Path(source)).stem
    return _UNSAFE.sub("_", name).lstrip(".") or "corpus"
