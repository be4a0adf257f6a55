"""Opening corpora: a file, a folder or what matches a pattern, whole or as a stream."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from corefbench.errors import DataError, FormatError, Place
from corefbench.findings import Finding, Strictness
from corefbench.formats import formats, make
from corefbench.formats.base import FolderFormat, Format, Reading
from corefbench.formats.patterns import base_of, is_pattern, places
from corefbench.formats.sniff import sniff
from corefbench.formats.source import Source
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus


def stream(
    where: str | Path | bytes, *, format: str | None = None, reading: Reading = Reading()
) -> Iterator[Corpus]:
    """The documents of a file, a folder, a pattern (``data/*.jsonl.gz``) or standard input (``-``),
    a block at a time.

    Of several files, files that no format recognises (a licence, a list of files) are left out, and
    that is reported.
    """
    yield from stream_files(list(readers(where, format)), reading)


def stream_files(
    files: Sequence[tuple[Source, Format | None]], reading: Reading = Reading()
) -> Iterator[Corpus]:
    """The documents of several files, each with its reader, or None to recognise its format."""
    others = []
    for source, reader in files:
        try:
            chosen = reader or sniff(source)
        except FormatError as error:
            if len(files) == 1:
                raise
            others.append(error)
        else:
            yield from chosen.read(source, reading)
    if len(others) == len(files):
        raise others[0]
    for other in others:
        reading.strictness.report(
            Finding(
                code=other.code,
                severity="note",
                message=f"{other.message}; the file was left out",
                place=other.place,
            )
        )


def readers(
    where: str | Path | bytes, format: str | None = None
) -> Iterator[tuple[Source, Format | None]]:
    """The files to read, in order, each with its reader; None where it has yet to be recognised.

    ``format`` may have parameters: ``ecbplus(mentions=events)``.
    """
    named = make(format) if format else None
    for place in places(where):
        reader, files = _folder(place, named)
        for source in files or sources(place):
            yield source, reader


def load(
    where: str | Path | bytes,
    *,
    format: str | None = None,
    lenient: bool = False,
    strictness: Strictness | None = None,
    words: bool = True,
) -> Corpus:
    """Read a whole corpus.

    >>> load(b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 left -\\n#end document\\n")
    <Corpus 'memory': 1 documents, 2 tokens, 1 mentions, 1 chains>
    """
    reading = Reading(strictness=strictness or Strictness(lenient=lenient), words=words)
    pieces = list(stream(where, format=format, reading=reading))
    name = pieces[0].name if len(pieces) == 1 else _name(where)
    return concatenate(name, pieces)


def sources(where: str | Path | bytes) -> list[Source]:
    """The file itself, or the files of a folder and its sub-folders, sorted by name."""
    if isinstance(where, bytes) or str(where) == "-" or not Path(where).is_dir():
        return [Source.of(where)]
    files = sorted(
        path for path in Path(where).rglob("*") if path.is_file() and not path.name.startswith(".")
    )
    if not files:
        raise DataError("the folder is empty", code="CB102", place=Place(source=str(where)))
    return [Source.of(path) for path in files]


def _folder(where: str | Path | bytes, named: Format | None) -> tuple[Format | None, list[Source]]:
    """The reader of a folder and its documents, where a format knows which files these are."""
    if isinstance(where, bytes) or not Path(where).is_dir():
        return named, []
    for reader in [named] if named else (formats[name]() for name in formats):
        if isinstance(reader, FolderFormat) and (paths := reader.documents_in(Path(where))):
            return reader, [Source.of(path) for path in paths]
    return named, []


def _name(where: str | Path | bytes) -> str:
    if isinstance(where, bytes):
        return "memory"
    return base_of(where).name if is_pattern(where) else Path(where).stem
