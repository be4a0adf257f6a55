"""The corpora that go into a run: read with their words, and known by their bytes."""

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding, Strictness
from corefbench.formats import Reading
from corefbench.formats.load import CorpusSource, detect_format, find_readers, is_pattern, pattern_base, stream
from corefbench.formats.sharding import ShardRunner
from corefbench.records import Columns

_CHUNK_BYTES = 1 << 20


class ReadInput(Columns, frozen=True, eq=False):
    """A corpus, and the file or folder it was read from."""

    corpus: Corpus
    name: str
    format: str = ""
    bytes: int = 0
    sha256: str = ""
    findings: tuple[Finding, ...] = ()


def read_input(
    source: CorpusSource,
    *,
    format: str | None = None,
    lenient: bool = False,
    advance: Callable[[int], None] | None = None,
    engine: str = "",
    jobs: int = 1,
) -> ReadInput:
    """Read a whole corpus with its words and columns.

    Standard input is read once. ``jobs`` workers of an ``engine`` share large files and folders.
    """
    if isinstance(source, Corpus):
        return ReadInput(corpus=source, name=source.name)
    name = "memory" if isinstance(source, bytes) else _file_name(str(source))
    content = sys.stdin.buffer.read() if str(source) == "-" else source
    findings: list[Finding] = []
    reading = Reading(strictness=Strictness(lenient=lenient, report=findings.append), advance=advance)
    shards = ShardRunner(format=format, engine=engine, jobs=jobs, advance=advance)
    # None if the input is small or cannot be split: it is then read in this process.
    pieces = shards.map_sum(list, content)
    if pieces is None:
        pieces = list(stream(content, format=format, reading=reading))
    corpus = concatenate(pieces[0].name if pieces else name, pieces)
    read_corpus = describe_input(replace(corpus, name=name) if name == "stdin" else corpus, content, format)
    return replace(read_corpus, name=name, findings=tuple(findings))


def describe_input(corpus: Corpus, source: str | Path | bytes | None = None, format: str | None = None) -> ReadInput:
    """Identify the source of a corpus by format, size and hash, if it can be read again."""
    if source is None or str(source) == "-":
        return ReadInput(corpus=corpus, name=corpus.name)
    size, digest = hash_input(source)
    return ReadInput(
        corpus=corpus,
        name="memory" if isinstance(source, bytes) else _file_name(str(source)),
        format=_format_name(source, format),
        bytes=size,
        sha256=digest,
    )


def _file_name(source: str) -> str:
    return "stdin" if source == "-" else Path(os.path.abspath(source)).name


def _format_name(source: str | Path | bytes, format: str | None) -> str:
    """Return the format of the file, or of the first file of a folder."""
    file, reader = next(find_readers(source, format))
    return (reader or detect_format(file)).card.name


def hash_input(source: str | Path | bytes) -> tuple[int, str]:
    """Return size and SHA-256 of a file.

    Of a folder or a pattern the hash is over the names, sizes and contents of its files, in order.

    >>> hash_input(b"abc")[1][:12]
    'ba7816bf8f01'
    """
    if isinstance(source, bytes):
        return len(source), hashlib.sha256(source).hexdigest()
    path = Path(source)
    digest = hashlib.sha256()
    if is_pattern(source):
        files = [file.path for file, _ in find_readers(source) if file.path is not None]
        path = pattern_base(source)
    elif path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
    else:
        return _hash_file(digest.update, path), digest.hexdigest()
    total = 0
    for file in files:
        digest.update(f"{file.relative_to(path).as_posix()}\0{file.stat().st_size}\0".encode())
        total += _hash_file(digest.update, file)
    return total, digest.hexdigest()


def _hash_file(update: Callable[[bytes], None], path: Path) -> int:
    size = 0
    with open(path, "rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            update(chunk)
            size += len(chunk)
    return size


def strip_folders(arguments: list[str]) -> tuple[str, ...]:
    """Reduce the absolute paths of a command line to file names.

    >>> strip_folders(["score", "data/key.conll", "/home/ann/x.conll", "--run=/tmp/y.corefrun"])
    ('score', 'data/key.conll', 'x.conll', '--run=y.corefrun')
    """
    return tuple(map(_strip_folder, arguments))


def _strip_folder(argument: str) -> str:
    option, equals, value = argument.partition("=")
    if argument.startswith("-") and equals and os.path.isabs(value):
        return f"{option}={Path(value).name}"
    return Path(argument).name if os.path.isabs(argument) else argument
