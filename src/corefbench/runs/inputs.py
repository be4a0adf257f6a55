"""The corpora that go into a run: read with their words, and known by their bytes."""

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from corefbench.findings import Finding, Strictness
from corefbench.formats import Reading
from corefbench.formats.load import readers, stream
from corefbench.formats.patterns import base_of, is_pattern
from corefbench.formats.sharing import Sharing
from corefbench.formats.sniff import sniff
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus
from corefbench.record import Columns
from corefbench.scoring.api import Where

_STEP = 1 << 20


class Read(Columns, frozen=True, eq=False):
    """A corpus and where it came from."""

    corpus: Corpus
    name: str
    format: str = ""
    bytes: int = 0
    sha256: str = ""
    findings: tuple[Finding, ...] = ()


def read_input(
    where: Where,
    *,
    format: str | None = None,
    lenient: bool = False,
    advance: Callable[[int], None] | None = None,
    engine: str = "",
    jobs: int = 1,
) -> Read:
    """A whole corpus, with words and columns; standard input is read once, and ``jobs`` workers
    of an ``engine`` share large files and folders."""
    if isinstance(where, Corpus):
        return Read(corpus=where, name=where.name)
    name = "memory" if isinstance(where, bytes) else _file_name(str(where))
    content = sys.stdin.buffer.read() if str(where) == "-" else where
    heard: list[Finding] = []
    reading = Reading(strictness=Strictness(lenient=lenient, report=heard.append), advance=advance)
    sharing = Sharing(format=format, engine=engine, jobs=jobs, advance=advance)
    pieces = sharing.added(list, content)
    if pieces is None:
        pieces = list(stream(content, format=format, reading=reading))
    corpus = concatenate(pieces[0].name if pieces else name, pieces)
    made = described(replace(corpus, name=name) if name == "stdin" else corpus, content, format)
    return replace(made, name=name, findings=tuple(heard))


def described(
    corpus: Corpus, where: str | Path | bytes | None = None, format: str | None = None
) -> Read:
    """A corpus with what is to be known of where it was read from, if that can be read again."""
    if where is None or str(where) == "-":
        return Read(corpus=corpus, name=corpus.name)
    size, digest = fingerprint(where)
    return Read(
        corpus=corpus,
        name="memory" if isinstance(where, bytes) else _file_name(str(where)),
        format=_format(where, format),
        bytes=size,
        sha256=digest,
    )


def _file_name(where: str) -> str:
    return "stdin" if where == "-" else Path(os.path.abspath(where)).name


def _format(where: str | Path | bytes, format: str | None) -> str:
    """What the file, or the first file of a folder, was read as."""
    source, reader = next(readers(where, format))
    return (reader or sniff(source)).card.name


def fingerprint(where: str | Path | bytes) -> tuple[int, str]:
    """Size and SHA-256 of a file; of a folder or a pattern: of the files' names, sizes and
    contents, in order.

    >>> fingerprint(b"abc")[1][:12]
    'ba7816bf8f01'
    """
    if isinstance(where, bytes):
        return len(where), hashlib.sha256(where).hexdigest()
    path = Path(where)
    digest = hashlib.sha256()
    if is_pattern(where):
        files = [source.path for source, _ in readers(where) if source.path is not None]
        path = base_of(where)
    elif path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
    else:
        return _add(digest.update, path), digest.hexdigest()
    total = 0
    for file in files:
        digest.update(f"{file.relative_to(path).as_posix()}\0{file.stat().st_size}\0".encode())
        total += _add(digest.update, file)
    return total, digest.hexdigest()


def _add(update: Callable[[bytes], None], path: Path) -> int:
    size = 0
    with open(path, "rb") as stream:
        while piece := stream.read(_STEP):
            update(piece)
            size += len(piece)
    return size


def portable(arguments: list[str]) -> tuple[str, ...]:
    """A command line without the folders of one machine: of absolute paths the name stays.

    >>> portable(["score", "data/key.conll", "/home/ann/x.conll", "--run=/tmp/y.corefrun"])
    ('score', 'data/key.conll', 'x.conll', '--run=y.corefrun')
    """
    return tuple(map(_portable, arguments))


def _portable(argument: str) -> str:
    option, equals, value = argument.partition("=")
    if argument.startswith("-") and equals and os.path.isabs(value):
        return f"{option}={Path(value).name}"
    return Path(argument).name if os.path.isabs(argument) else argument
