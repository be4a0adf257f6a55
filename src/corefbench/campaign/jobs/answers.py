"""Read uploaded files and archives within a size budget.

Nothing is ever extracted to disk. Unpacked bytes are counted as they come, whatever the archive
claims, and no name inside an archive is used as a path. Refused are archives whose entries overlap
(a bomb of few bytes), lie about where they are, are encrypted or links, are compressed by anything
but deflate, or have names that leave the archive.
"""

import gzip
import io
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from corefbench.campaign.storage.files import clean_file_name
from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding
from corefbench.errors import DataError, Place
from corefbench.formats import Format, make
from corefbench.formats.check import check_files
from corefbench.formats.load import stream_files
from corefbench.formats.source import Source
from corefbench.records import Record

_ZIP = "zip"
_MAGIC_NUMBERS = {
    b"PK\x03\x04": _ZIP,
    b"PK\x05\x06": _ZIP,
    b"PK\x07\x08": _ZIP,
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"\x28\xb5\x2f\xfd": "zstandard",
    b"Rar!\x1a\x07": "rar",
    b"\x04\x22\x4d\x18": "lz4",
    b"MSCF": "cab",
    b"!<arch>\n": "ar",
    b"PAR1": "Parquet",  # compressed too, and its library is not hardened
}
_END = struct.Struct("<4s4H2LH")
_LOCAL = struct.Struct("<4s5H3L2H")
_NAME_BYTES = 512
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_CHUNK_SIZE = 1 << 16


class UploadBudget(Record, frozen=True):
    """Limits of one upload; what exceeds one of them is refused while it is read."""

    packed: int = 64 << 20
    """Bytes as they arrive …"""
    unpacked: int = 64 << 20
    """… and unpacked, all files together."""
    files: int = 2_000
    ratio: int = 200
    """Largest ratio of unpacked to packed size; text packs 3 to 30 times …"""
    unsuspected: int = 8 << 20
    """… and so many bytes are accepted at any ratio."""
    line: int = 8 << 20
    """Bytes of the longest line."""


DEFAULT_BUDGET = UploadBudget()


def read_answers(
    path: Path, file_name: str, budget: UploadBudget = DEFAULT_BUDGET, format: str | None = None
) -> Corpus:
    """Read the answers of an upload; raise at the first error."""
    files = list(_iter_files(path, file_name, budget, format))
    pieces = [piece for piece in stream_files(files) if len(piece.documents)]
    if not pieces:
        place = Place(source=clean_file_name(file_name))
        raise DataError("there are no documents", code="CB102", place=place)
    return concatenate(pieces[0].name if len(pieces) == 1 else clean_file_name(file_name), pieces)


def check_answers(
    path: Path, file_name: str, budget: UploadBudget = DEFAULT_BUDGET, format: str | None = None
) -> list[Finding]:
    """Return the findings of ``corefbench check`` for an upload."""
    return check_files(_iter_files(path, file_name, budget, format))


def _iter_files(
    path: Path, file_name: str, budget: UploadBudget, format: str | None
) -> Iterator[tuple[Source, Format | None]]:
    reader = make(format) if format else None
    for source in _read_sources(path, clean_file_name(file_name), budget):
        _check_lines(source, budget)
        yield source, reader


def _read_sources(path: Path, name: str, budget: UploadBudget) -> list[Source]:
    """Return the files of an upload, unpacked in memory."""
    size = path.stat().st_size
    if size > budget.packed:
        raise _make_budget_error(name, "the upload is too large", f"{size:,} bytes", f"{budget.packed:,} bytes")
    with path.open("rb") as stream:
        kind = detect_compression(stream.read(512))
        stream.seek(0)
        reader = _BudgetedReader(name, budget, size)
        if kind == _ZIP:
            with convert_archive_errors(name):
                files = [(inside, reader.read(entry, inside)) for inside, entry in iter_archive(stream, name, budget)]
            return group_standoff(files, name)
        if kind == "gzip":
            try:
                with gzip.GzipFile(fileobj=stream) as unpacked:
                    content = reader.read(unpacked, name)
            except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                raise make_upload_error(name, "the gzip file is broken or cut short", str(error)) from error
            return [Source(name=name, content=content)]
        if kind:
            raise make_upload_error(name, f"{kind} archives are not taken", kind)
        return [Source(name=name, content=reader.read(stream, name))]


class _BudgetedReader:
    """Reads whole streams, and raises as soon as their sum exceeds the budget."""

    def __init__(self, name: str, budget: UploadBudget, packed: int) -> None:
        self._name, self._budget, self._packed = name, budget, packed
        self._unpacked = 0

    def read(self, stream: IO[bytes] | gzip.GzipFile, inside: str) -> bytes:
        """Return the content of a stream; raise if that is an archive again."""
        chunks = []
        while chunk := stream.read(_CHUNK_SIZE):
            self._unpacked += len(chunk)
            self._check()
            chunks.append(chunk)
        content = b"".join(chunks)
        kind = detect_compression(content[:512])
        if kind:
            raise make_upload_error(self._name, "an archive lies inside the archive", f"{kind}: {inside}")
        return content

    def _check(self) -> None:
        unpacked, budget = self._unpacked, self._budget
        if unpacked > budget.unpacked:
            raise _make_budget_error(
                self._name,
                "the upload unpacks to too much",
                f"more than {budget.unpacked:,} bytes from {self._packed:,}",
                f"{budget.unpacked:,} bytes",
            )
        if unpacked > max(budget.unsuspected, budget.ratio * self._packed):
            raise _make_budget_error(
                self._name,
                "the upload unpacks to suspiciously much",
                f"more than {unpacked:,} bytes from {self._packed:,}",
                f"{budget.ratio} times as much as was packed",
            )


def _make_budget_error(name: str, message: str, found: str, most: str) -> DataError:
    return DataError(message, code="CB309", place=Place(source=name), found=found, expected=f"at most {most}")


def _check_lines(source: Source, budget: UploadBudget) -> None:
    content = source.content or b""
    start, number = 0, 1
    while len(content) - start > budget.line:
        end = content.rfind(b"\n", start, start + budget.line + 1)
        if end < 0:
            line = number + content.count(b"\n", 0, start)
            raise DataError(
                "a line is too long",
                code="CB309",
                place=Place(source=source.name, line=line),
                expected=f"at most {budget.line:,} bytes",
            )
        start = end + 1


def detect_compression(head: bytes) -> str:
    """Return the kind of compression or archive of a file that begins like this, if any.

    >>> detect_compression(b"\\x1f\\x8b\\x08"), detect_compression(b"#begin")
    ('gzip', '')
    """
    for magic, kind in _MAGIC_NUMBERS.items():
        if head.startswith(magic):
            return kind
    return "tar" if head[257:262] == b"ustar" else ""


def make_upload_error(name: str, message: str, found: str = "") -> DataError:
    """Return the error for a file that is refused."""
    return DataError(
        message,
        code="CB310",
        place=Place(source=name),
        found=found[:200],
        remedy="send plain text, a gzip file, or a zip archive of plain files",
    )


def iter_archive(stream: IO[bytes], name: str, budget: UploadBudget) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the files of an archive, sorted by name, each open for reading."""
    # The zip library reads the whole directory at once, whatever its size.
    _check_directory(stream, name, budget)
    with convert_archive_errors(name), zipfile.ZipFile(stream) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        _check_count(len(archive.infolist()), name, budget)
        _check_names(entries, name)
        _check_overlaps(stream, archive, name)
        wanted = sorted(filter(_is_wanted, entries), key=lambda entry: entry.filename)
        if not wanted:
            raise DataError("the archive is empty", code="CB102", place=Place(source=name))
        for entry in wanted:
            with archive.open(entry) as unpacked:
                yield entry.filename, unpacked


@contextmanager
def convert_archive_errors(name: str) -> Iterator[None]:
    """Raise errors of the zip library as refusals."""
    try:
        yield
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
        OverflowError,
        struct.error,
        OSError,
    ) as error:
        raise make_upload_error(name, "the zip archive is broken", type(error).__name__) from error


def _check_directory(stream: IO[bytes], name: str, budget: UploadBudget) -> None:
    """Check the size of the central directory before it is read."""
    size = stream.seek(0, 2)
    stream.seek(max(0, size - _END.size - 0xFFFF))
    tail = stream.read()
    position = tail.rfind(b"PK\x05\x06")
    stream.seek(0)
    if position < 0 or len(tail) - position < _END.size:
        raise make_upload_error(name, "the zip archive is broken or cut short", "no end of the directory")
    _, _, _, _, count, length, _, _ = _END.unpack_from(tail, position)
    if length > budget.files * (46 + _NAME_BYTES):
        count = max(count, budget.files + 1)
    _check_count(count, name, budget)


def _check_count(count: int, name: str, budget: UploadBudget) -> None:
    if count > budget.files:
        raise DataError(
            "the archive has too many files",
            code="CB309",
            place=Place(source=name),
            found=f"{count:,} files",
            expected=f"at most {budget.files:,}",
        )


def _check_names(entries: list[zipfile.ZipInfo], name: str) -> None:
    seen: set[str] = set()
    for entry in entries:
        inside = entry.filename
        shown = _CONTROL.sub("�", inside)[:100]
        pieces = inside.replace("\\", "/").split("/")
        if (
            ".." in pieces
            or inside.startswith(("/", "\\"))
            or "\\" in inside
            or re.match(r"[A-Za-z]:", inside)
            or _CONTROL.search(entry.orig_filename)
            or len(inside.encode("utf-8", "replace")) > _NAME_BYTES
        ):
            raise make_upload_error(name, "a name in the archive leads elsewhere", shown)
        if inside in seen:
            raise make_upload_error(name, "a name occurs twice in the archive", shown)
        seen.add(inside)
        mode = entry.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise make_upload_error(name, "an entry of the archive is a link or a device", shown)
        if entry.flag_bits & _ENCRYPTED:
            raise make_upload_error(name, "an entry of the archive is encrypted", shown)
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise make_upload_error(name, "an entry of the archive is packed in another way than deflate", shown)


def _check_overlaps(stream: IO[bytes], archive: zipfile.ZipFile, name: str) -> None:
    """Raise if two entries share bytes, or one reaches into the central directory."""
    end = 0
    for entry in sorted(archive.infolist(), key=lambda entry: entry.header_offset):
        stream.seek(entry.header_offset)
        header = stream.read(_LOCAL.size)
        if entry.header_offset < end or len(header) < _LOCAL.size or header[:4] != b"PK\x03\x04":
            raise make_upload_error(name, "entries of the archive overlap or are not where it says")
        *_, name_length, extra_length = _LOCAL.unpack(header)
        end = entry.header_offset + _LOCAL.size + name_length + extra_length + entry.compress_size
    if end > archive.start_dir:
        raise make_upload_error(name, "entries of the archive overlap or are not where it says")


def _is_wanted(entry: zipfile.ZipInfo) -> bool:
    """Return whether an entry is an answer, not a file that a desktop adds by itself."""
    pieces = entry.filename.split("/")
    return pieces[0] != "__MACOSX" and not any(piece.startswith(".") for piece in pieces)


def group_standoff(files: list[tuple[str, bytes]], archive: str) -> list[Source]:
    """Return one source per file, but a single one for stand-off annotation and its texts.

    Readers of stand-off annotation look for the text in the same folder. In memory there is none,
    but they also read a tar archive of both.
    """
    annotation = [(name, content) for name, content in files if name.endswith(".ann")]
    stems = {name.removesuffix(".ann") for name, _ in annotation}
    texts = [(n, c) for n, c in files if n.endswith(".txt") and n.removesuffix(".txt") in stems]
    if not texts:
        return [Source(name=f"{archive}/{name}", content=content) for name, content in files]
    return [Source(name=archive, content=_pack_tar([*annotation, *texts]))]


def _pack_tar(files: list[tuple[str, bytes]]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as bundle:
        for name, content in files:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            bundle.addfile(member, io.BytesIO(content))
    return stream.getvalue()
