"""Text and stand-off annotation as pairs of files or in a tar archive.

The files of a document share their name but for the extension. They lie in one folder, or, many
documents together, in a tar archive, which is how brat exports a collection.
"""

import io
import itertools
import re
import tarfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document
from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading, document_part, require_words
from corefbench.formats.common.decode import MAX_FILE_BYTES, decode_utf8, read_bytes, too_large_error
from corefbench.formats.source import Source
from corefbench.records import Record

SURE = 0.9

_PART = re.compile(r"(.+)\.part(0|[1-9]\d{0,8})")
_UNSAFE = re.compile(r"[^\w.+-]")
_UNSAFE_IN_ARCHIVE = re.compile(r"[\0-\x1f\x7f\\:]")
_MAGIC = slice(257, 262)


class StandoffDocument(Record, frozen=True):
    """One document: the name it is read under, its annotation and its text."""

    source: str
    name: str
    part: int
    annotation: bytes
    text: bytes

    def fault(self, reading: Reading, code: str, message: str, line: int, found: str, repair: str) -> None:
        """Raise for a line of the annotation or, if reading is lenient, report the repair."""
        reading.fault(code, message, Place(source=self.source, line=line), found[:80], repair)

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


def is_tar_archive(head: bytes) -> bool:
    """Whether bytes begin a tar archive."""
    return head[_MAGIC] == b"ustar"


def is_annotated_text(path: Path) -> bool:
    """Whether a file is the text of an annotation that lies beside it, not a document itself."""
    return path.suffix == ".txt" and path.with_suffix(".ann").is_file()


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
    # A slice costs less than a file object for each of thousands of small members.
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
                        place = Place(source=name)
                        raise FormatError("the archive has a file twice", code="CB109", place=place, found=member.name)
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

    document: Document
    annotation: str
    text: str

    def stem(self) -> str:
        """Return the name of the files, which tells the part."""
        part = document_part(self.document)
        return self.document.name if part < 0 else f"{self.document.name}.part{part}"

    def files(self) -> tuple[tuple[str, bytes], tuple[str, bytes]]:
        """Return the extension and the content of both files."""
        return (".txt", self.text.encode()), (".ann", self.annotation.encode())


class StandoffFormat(ABC):
    """A format of pairs of files: how a pair is read and made, and all that follows from it."""

    @abstractmethod
    def recognises(self, head: bytes) -> float:
        """How sure it is that a file beginning with ``head`` is annotation of this format."""

    @abstractmethod
    def add_document(self, build: CorpusBuilder, document: StandoffDocument, reading: Reading) -> None:
        """Add one pair of files to a corpus."""

    @abstractmethod
    def output(self, document: Document) -> StandoffOutput:
        """Return annotation and text of a document."""

    def documents_in(self, folder: Path) -> list[Path]:
        """Return the annotation files that have their texts beside them, if they are of this format."""
        files = sorted(path for path in folder.rglob("*.ann") if path.with_suffix(".txt").is_file())
        # An empty .ann file tells nothing, so more than the first is looked at.
        heads = (Source.of(path).head() for path in files[:20])
        return files if any(self.recognises(head) >= SURE for head in heads) else []

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """Yield one document per pair of files, as many together as make a block."""
        batch: list[StandoffDocument] = []
        size = 0
        for document in read_documents(source, reading):
            batch.append(document)
            size += len(document.annotation) + len(document.text)
            if size >= reading.block_bytes:
                yield self.corpus(batch, source.stem, reading)
                batch, size = [], 0
        if batch:
            yield self.corpus(batch, source.stem, reading)

    def corpus(self, documents: Sequence[StandoffDocument], name: str, reading: Reading) -> Corpus:
        """Return a corpus of documents; one document gives it its own name."""
        build = CorpusBuilder(documents[0].name if len(documents) == 1 else name, words=reading.words)
        for document in documents:
            self.add_document(build, document, reading)
        return build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write an archive or, for one document and a file named ``.ann``, the text beside it."""
        require_words(corpus)
        outputs = [self.output(document) for document in corpus]
        path = getattr(stream, "name", None)
        if len(outputs) == 1 and isinstance(path, str) and path.endswith(".ann"):
            stream.write(outputs[0].annotation.encode())
            Path(path).with_suffix(".txt").write_bytes(outputs[0].text.encode())
            return
        taken: set[str] = set()
        with tarfile.open(fileobj=stream, mode="w:", format=tarfile.PAX_FORMAT) as archive:
            for output in outputs:
                stem = _unique_name(_member_name(output.stem()), taken)
                for extension, content in output.files():
                    member = tarfile.TarInfo(stem + extension)
                    member.size = len(content)
                    archive.addfile(member, io.BytesIO(content))

    def write_folder(self, corpus: Corpus, folder: Path) -> None:
        """Write two files per document, under its name as far as files may have it."""
        require_words(corpus)
        taken: set[str] = set()
        for document in corpus:
            output = self.output(document)
            stem = _unique_name(_UNSAFE.sub("_", output.stem()).lstrip(".") or "document", taken)
            for extension, content in output.files():
                (folder / f"{stem}{extension}").write_bytes(content)


def _member_name(stem: str) -> str:
    """Return a name in an archive that cannot leave the folder it is unpacked to.

    >>> _member_name("../../etc/passwd"), _member_name("bn/cnn_0001"), _member_name("/a")
    ('_/_/etc/passwd', 'bn/cnn_0001', 'a')
    """
    parts = [_UNSAFE_IN_ARCHIVE.sub("_", part) for part in stem.split("/") if part]
    return "/".join("_" if set(part) == {"."} else part for part in parts) or "document"


def _unique_name(stem: str, taken: set[str]) -> str:
    """The name, or, where another document has it, the name and a number."""
    numbers = itertools.count(2)
    name = stem
    while name in taken:
        name = f"{stem}-{next(numbers)}"
    taken.add(name)
    return name
