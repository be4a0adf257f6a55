"""Text and stand-off annotation as pairs of files or in a tar archive.

The files of a document share their name but for the extension. They lie in one folder, or, many
documents together, in a tar archive, which is how brat exports a collection.
"""

import io
import itertools
import re
import tarfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.common.decode import MAX_FILE_BYTES, decode_utf8, read_bytes, too_large_error
from corefbench.formats.source import Source
from corefbench.records import Record

SURE = 0.9

_PART = re.compile(r"(.+)\.part(0|[1-9]\d{0,8})")
_UNSAFE = re.compile(r"[^\w.+-]")
_MAGIC = slice(257, 262)


class StandoffDocument(Record, frozen=True):
    """One document: the name it is read under, its annotation and its text."""

    source: str
    name: str
    part: int
    annotation: bytes
    text: bytes

    def place(self, line: int = 0) -> Place:
        return Place(source=self.source, line=line)

    def script(self) -> str:
        """The annotation, line ends as newlines."""
        content = self.annotation.removeprefix(b"\xef\xbb\xbf")
        return decode_utf8(content, Source(name=self.source), 1).replace("\r\n", "\n")

    def characters(self) -> str:
        """The text as it stands: offsets count its carriage returns too."""
        name = str(Path(self.source).with_suffix(".txt"))
        return decode_utf8(self.text.removeprefix(b"\xef\xbb\xbf"), Source(name=name), 1)


def numbered_lines(script: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers.

    >>> list(numbered_lines("a\\n\\nb\\r\\n"))
    [(1, 'a'), (3, 'b')]
    """
    for number, line in enumerate(script.split("\n"), 1):
        if line.strip():
            yield number, line.rstrip("\r")


def read_batches(source: Source, reading: Reading) -> Iterator[tuple[str, list[StandoffDocument]]]:
    """The documents, as many together as make a block, and the name of the corpus they make."""
    batch: list[StandoffDocument] = []
    size = 0
    for pair in read_documents(source, reading):
        batch.append(pair)
        size += len(pair.annotation) + len(pair.text)
        if size >= reading.block_bytes:
            yield _batch_name(batch, source), batch
            batch, size = [], 0
    if batch:
        yield _batch_name(batch, source), batch


def _batch_name(batch: list[StandoffDocument], source: Source) -> str:
    return batch[0].name if len(batch) == 1 else source.stem


def is_tar_archive(head: bytes) -> bool:
    """Whether bytes begin a tar archive."""
    return head[_MAGIC] == b"ustar"


def is_annotated_text(path: Path) -> bool:
    """Whether a file is the text of an annotation that lies beside it, not a document itself."""
    return path.suffix == ".txt" and path.with_suffix(".ann").is_file()


def find_annotation_files(folder: Path, recognises: Callable[[bytes], float]) -> list[Path]:
    """The annotation files of a folder that have their texts beside them, if they are one's own."""
    files = sorted(p for p in folder.rglob("*.ann") if p.with_suffix(".txt").is_file())
    heads = (Source.of(path).head() for path in files[:20])
    return files if any(recognises(head) >= SURE for head in heads) else []


def read_documents(source: Source, reading: Reading) -> Iterator[StandoffDocument]:
    """The documents of an ``.ann`` file with its ``.txt`` beside it, or of an archive of such."""
    if source.path is not None and is_annotated_text(source.path):
        source = Source.of(source.path.with_suffix(".ann"))
    content = _read_possibly_empty(source, reading)
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FormatError(
            "the text is UTF-16",
            code="CB103",
            place=Place(source=source.name, line=1),
            remedy="convert the file to UTF-8",
        )
    if is_tar_archive(content):
        yield from _read_archive(content, source.name)
        return
    beside = source.path.with_suffix(".txt") if source.path is not None else None
    if beside is None or not beside.is_file():
        raise _missing_text_error(source.name)
    yield _make_document(source.name, source.stem, content, _read_possibly_empty(Source.of(beside), reading))


def _read_possibly_empty(source: Source, reading: Reading) -> bytes:
    """The bytes; a file on the disk may be empty: a document without mentions, or without words."""
    return read_bytes(source, reading) if source.size or source.path is None else b""


def _read_member(archive: tarfile.TarFile, member: tarfile.TarInfo, content: bytes) -> bytes:
    """The bytes of a file of an archive, which most often lie there as they are."""
    there = content[member.offset_data : member.offset_data + member.size]
    if len(there) == member.size and not member.issparse():
        return there
    stream = archive.extractfile(member)
    return stream.read() if stream is not None else b""


def _read_archive(content: bytes, name: str) -> Iterator[StandoffDocument]:
    annotations: dict[str, bytes] = {}
    texts: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
            total = 0
            for member in archive:
                stem, dot, extension = member.name.rpartition(".")
                kept = {"ann": annotations, "txt": texts}.get(extension if dot else "")
                if kept is not None and member.isreg():
                    total += member.size
                    if total > MAX_FILE_BYTES:
                        raise too_large_error(name, MAX_FILE_BYTES)
                    if stem in kept:
                        raise _duplicate_file_error(name, member.name)
                    kept[stem] = _read_member(archive, member, content)
    except (tarfile.TarError, EOFError) as error:
        place = Place(source=name)
        raise FormatError("the archive is broken", code="CB118", place=place, found=str(error)) from error
    for stem, annotation in annotations.items():
        if stem not in texts:
            raise _missing_text_error(f"{name}/{stem}.ann")
        yield _make_document(f"{name}/{stem}.ann", stem, annotation, texts[stem])


def _make_document(source: str, stem: str, annotation: bytes, text: bytes) -> StandoffDocument:
    named = _PART.fullmatch(stem)
    name, part = (named[1], int(named[2])) if named else (stem, -1)
    return StandoffDocument(source=source, name=name, part=part, annotation=annotation, text=text)


def _duplicate_file_error(name: str, member: str) -> FormatError:
    return FormatError("the archive has a file twice", code="CB109", place=Place(source=name), found=member)


def _missing_text_error(name: str) -> FormatError:
    return FormatError(
        "the text that belongs to the annotation is missing",
        code="CB140",
        place=Place(source=name),
        expected="a .txt file of the same name beside the .ann file",
        remedy="put the text there, or give both in one tar archive",
    )


class StandoffOutput(Record, frozen=True):
    """One document to be written."""

    name: str
    part: int
    annotation: str
    text: str

    @property
    def stem(self) -> str:
        return self.name if self.part < 0 else f"{self.name}.part{self.part}"


def write_archive(made: Iterable[StandoffOutput], stream: BinaryIO) -> None:
    """One document, to a file named ``.ann``: the text goes beside it. Otherwise an archive."""
    documents = list(made)
    path = getattr(stream, "name", None)
    if len(documents) == 1 and isinstance(path, str) and path.endswith(".ann"):
        stream.write(documents[0].annotation.encode())
        Path(path).with_suffix(".txt").write_bytes(documents[0].text.encode())
        return
    with tarfile.open(fileobj=stream, mode="w:", format=tarfile.PAX_FORMAT) as archive:
        taken: set[str] = set()
        for document in documents:
            stem = _unique_name(document.stem, taken)
            for extension, text in ((".txt", document.text), (".ann", document.annotation)):
                content = text.encode()
                member = tarfile.TarInfo(stem + extension)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))


def write_file_pairs(made: Iterable[StandoffOutput], folder: Path) -> None:
    """Two files a document, under its name as far as files may have it."""
    taken: set[str] = set()
    for document in made:
        stem = _unique_name(_UNSAFE.sub("_", document.stem).lstrip(".") or "document", taken)
        (folder / f"{stem}.txt").write_bytes(document.text.encode())
        (folder / f"{stem}.ann").write_bytes(document.annotation.encode())


def _unique_name(stem: str, taken: set[str]) -> str:
    """The name, or, where another document has it, the name and a number."""
    numbers = itertools.count(2)
    name = stem
    while name in taken:
        name = f"{stem}-{next(numbers)}"
    taken.add(name)
    return name
