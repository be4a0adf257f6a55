"""Load corpora from files, folders and glob patterns, whole or as a stream, and detect formats."""

import glob
import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn, TypeAlias

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import DataError, FormatError, Place
from corefbench.formats import formats, make
from corefbench.formats.base import FolderFormat, Format, Reading
from corefbench.formats.source import Source, is_valid_path, unreadable_error

CorpusSource: TypeAlias = str | Path | bytes | Corpus
"""A file, a folder, a pattern, the bytes of a file, or a corpus that has been read already."""

_DATASETS = "corefbench.datasets.load"
"""The data sets are read by formats, so that their names are looked up when one is used."""
_UNSUPPORTED = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"PK": "a zip archive"}
CERTAIN = 0.9
"""Confidence from which no other format is asked."""


def is_pattern(where: object) -> bool:
    """Whether this is a glob pattern, and not a file or folder of that name.

    >>> is_pattern("data/*.conll"), is_pattern("data/a.conll"), is_pattern(b"*")
    (True, False, False)
    """
    if not isinstance(where, str | Path) or not glob.has_magic(str(where)):
        return False
    return is_valid_path(str(where)) and not Path(where).exists()


def expand_pattern(where: str | Path | bytes) -> list[str | Path | bytes]:
    """Return the files and folders that a pattern matches; anything else as it is."""
    return [*matching_paths(where)] if is_pattern(where) else [where]  # type: ignore[arg-type]


def matching_paths(pattern: str | Path) -> list[Path]:
    """Return what matches, sorted, without the contents of folders that match themselves.

    ``**`` stands for any number of folders. Names that begin with a dot match only where the
    pattern has the dot.
    """
    paths = {Path(name) for name in glob.iglob(str(pattern), recursive=True)}
    if not paths:
        raise _no_match_error(pattern)
    return sorted(path for path in paths if paths.isdisjoint(path.parents))


def pattern_base(pattern: str | Path) -> Path:
    """Return the folder before the first wildcard.

    >>> pattern_base("data/*/dev/*.conll").as_posix(), pattern_base("*.conll").as_posix()
    ('data', '.')
    """
    parts = Path(pattern).parts
    return Path(*parts[: [glob.has_magic(part) for part in parts].index(True)])


def _no_match_error(pattern: str | Path) -> DataError:
    base = pattern_base(pattern)
    names = sorted(path.name for path in base.glob("[!.]*"))
    content = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return DataError(
        "nothing matches the pattern",
        code="CB159",
        place=Place(source=str(pattern)),
        found=(content or "an empty folder") if base.is_dir() else f"no folder {base}",
        expected="files or folders; ** stands for any number of folders",
        remedy="quote the pattern, so that the shell leaves it as it is",
    )


def stream(where: CorpusSource, *, format: str | None = None, reading: Reading = Reading()) -> Iterator[Corpus]:
    """Yield the documents of a corpus, one block of documents at a time.

    A corpus is a file, a folder, a pattern (``data/*.jsonl.gz``), standard input (``-``), or one in
    memory, which is one block. Of several files, those that no format recognises (a licence, a list
    of files) are left out, and that is reported.
    """
    if isinstance(where, Corpus):
        yield where
    else:
        yield from stream_files(list(find_readers(where, format)), reading)


def stream_files(files: Sequence[tuple[Source, Format | None]], reading: Reading = Reading()) -> Iterator[Corpus]:
    """Yield the documents of several files, each with its reader, or None to detect its format."""
    errors = []
    for source, reader in files:
        try:
            chosen = reader or detect_format(source)
        except FormatError as error:
            if len(files) == 1:
                raise
            errors.append(error)
        else:
            yield from chosen.read(source, reading)
    if len(errors) == len(files):
        raise errors[0]
    for skipped in errors:
        reading.strictness.report(
            Finding(
                code=skipped.code,
                severity="note",
                message=f"{skipped.message}; the file was left out",
                place=skipped.place,
            )
        )


def find_readers(where: str | Path | bytes, format: str | None = None) -> Iterator[tuple[Source, Format | None]]:
    """Yield the files to read, in order, each with its reader; None if it has to be detected.

    ``format`` may have parameters: ``ecbplus(mentions=events)``.
    """
    if is_dataset_name(where):
        yield from import_module(_DATASETS).dataset_readers(where)
        return
    named = make(format) if format else None
    for path in expand_pattern(where):
        reader, files = _folder_reader(path, named)
        for source in files or find_sources(path):
            yield source, reader


def load(
    where: CorpusSource,
    *,
    format: str | None = None,
    lenient: bool = False,
    strictness: Strictness | None = None,
    words: bool = True,
) -> Corpus:
    """Read a whole corpus; one in memory is returned as it is.

    >>> load(b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 left -\\n#end document\\n")
    <Corpus 'memory': 1 documents, 2 tokens, 1 mentions, 1 chains>
    """
    if isinstance(where, Corpus):
        return where
    reading = Reading(strictness=strictness or Strictness(lenient=lenient), words=words)
    pieces = list(stream(where, format=format, reading=reading))
    name = pieces[0].name if len(pieces) == 1 else _corpus_name(where)
    return concatenate(name, pieces)


def is_dataset_name(where: object) -> bool:
    """Whether this is the name of a data set, such as ``bundled`` or ``gum/dev``, and not a path.

    Raise if it is neither: a single word without an extension that no file or folder has.

    >>> is_dataset_name("bundled"), is_dataset_name("gum/dev"), is_dataset_name("a.conll")
    (True, True, False)
    """
    if not isinstance(where, str) or where == "-" or is_pattern(where) or not is_valid_path(where):
        return False
    if Path(where).exists():
        return False
    name, _, part = where.partition("/")
    known: list[str] = import_module(_DATASETS).dataset_names()
    if name not in known and name and not Path(where).suffix and not part:
        raise DataError(
            "there is no such file, folder or data set",
            place=Place(source=where),
            found=where,
            expected=f"a path, or one of: {', '.join(known)}",
        )
    return name in known


def find_sources(where: str | Path | bytes) -> list[Source]:
    """Return the file itself, or the files of a folder and its sub-folders, sorted by name."""
    if isinstance(where, bytes) or str(where) == "-" or not Path(where).is_dir():
        return [Source.of(where)]
    files = _walk_files(Path(where))
    if not files:
        raise DataError("the folder is empty", code="CB102", place=Place(source=str(where)))
    return [Source.of(path) for path in files]


def _walk_files(folder: Path) -> list[Path]:
    """Return the files of a folder and its sub-folders, without hidden ones, sorted by name."""

    def refuse(error: OSError) -> NoReturn:
        raise unreadable_error(str(error.filename or folder), error) from error

    files = []
    for parent, folders, names in os.walk(folder, onerror=refuse):
        # Hidden folders too: an interrupted conversion leaves its unfinished files in one.
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [Path(parent, name) for name in names if not name.startswith(".")]
    return sorted(path for path in files if path.is_file())


def is_hidden(path: Path, folder: Path) -> bool:
    """Whether a file in a folder, or a sub-folder on the way to it, has a name with a dot in front."""
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _folder_reader(where: str | Path | bytes, named: Format | None) -> tuple[Format | None, list[Source]]:
    """Return the reader of a folder and its documents, if a format knows which files these are."""
    if isinstance(where, bytes) or not Path(where).is_dir():
        return named, []
    # Formats of several files know which of them are documents; others take every file.
    for reader in [named] if named else (formats[name]() for name in formats):
        if isinstance(reader, FolderFormat) and (paths := reader.documents_in(Path(where))):
            return reader, [Source.of(path) for path in paths if not is_hidden(path, Path(where))]
    return named, []


def _corpus_name(where: str | Path | bytes) -> str:
    if isinstance(where, bytes):
        return "memory"
    if isinstance(where, str) and is_dataset_name(where):
        return where
    return pattern_base(where).name if is_pattern(where) else Path(where).stem


def detect_format(source: Source) -> Format:
    """Return the format that is most confident of a file.

    >>> detect_format(Source.of(b"#begin document (a); part 000\\na 0 0 x (1)\\n")).card.name
    'conll'
    """
    head = source.head().removeprefix(b"\xef\xbb\xbf")
    if b"\n" not in head:
        head = head.replace(b"\r", b"\n")
    if not head.strip():
        raise FormatError("the file is empty", code="CB102", place=Place(source=source.name))
    unsupported = _UNSUPPORTED.get(head[:2])
    best: tuple[float, Format | None] = (0.0, None)
    for name in formats.built_in_first() if unsupported is None else ():
        candidate = formats[name]()
        confidence = candidate.recognises(head)
        if confidence > best[0]:
            best = (confidence, candidate)
        if confidence >= CERTAIN:
            break
    if best[1] is None:
        raise FormatError(
            "the format is not recognised",
            code="CB101",
            place=Place(source=source.name, line=1),
            found=unsupported or repr(head[:40].decode("utf-8", "replace")),
            expected="one of: " + ", ".join(formats),
            remedy="name the format with --input-format, or convert the file to UTF-8 text",
        )
    return best[1]
