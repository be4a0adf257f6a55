"""Zip archives that somebody else made: which files are in them, and whether they may be read.

Refused are archives whose entries overlap (a bomb of few bytes), lie about where they are, are
encrypted or links, are packed by anything but deflate, or have names that lead elsewhere.
"""

import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from corefbench.campaign.jobs.budget import Budget
from corefbench.errors import DataError, Place

ZIP = "zip"
_KINDS = {
    b"PK\x03\x04": ZIP,
    b"PK\x05\x06": ZIP,
    b"PK\x07\x08": ZIP,
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"\x28\xb5\x2f\xfd": "zstandard",
    b"Rar!\x1a\x07": "rar",
    b"\x04\x22\x4d\x18": "lz4",
    b"MSCF": "cab",
    b"!<arch>\n": "ar",
    b"PAR1": "Parquet",  # packed too, and its library is no fortress
}
_END = struct.Struct("<4s4H2LH")
_LOCAL = struct.Struct("<4s5H3L2H")
_NAME_BYTES = 512
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def packed_kind(head: bytes) -> str:
    """What packed a file that begins like this; nothing where it is not packed.

    >>> packed_kind(b"\\x1f\\x8b\\x08"), packed_kind(b"#begin")
    ('gzip', '')
    """
    for magic, kind in _KINDS.items():
        if head.startswith(magic):
            return kind
    return "tar" if head[257:262] == b"ustar" else ""


def refused(name: str, message: str, found: str = "") -> DataError:
    """The error for a file that is not taken."""
    return DataError(
        message,
        code="CB310",
        place=Place(source=name),
        found=found[:200],
        remedy="send plain text, a gzip file, or a zip archive of plain files",
    )


def members(stream: IO[bytes], name: str, budget: Budget) -> Iterator[tuple[str, IO[bytes]]]:
    """The files of an archive, sorted by name, each open for reading."""
    _check_directory(stream, name, budget)
    with coded(name), zipfile.ZipFile(stream) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        _check_count(len(archive.infolist()), name, budget)
        _check_names(entries, name)
        _check_places(stream, archive, name)
        wanted = sorted(filter(_is_wanted, entries), key=lambda entry: entry.filename)
        if not wanted:
            raise DataError("the archive is empty", code="CB102", place=Place(source=name))
        for entry in wanted:
            with archive.open(entry) as unpacked:
                yield entry.filename, unpacked


@contextmanager
def coded(name: str) -> Iterator[None]:
    """Whatever goes wrong with an archive is a refusal."""
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
        raise refused(name, "the zip archive is broken", type(error).__name__) from error


def _check_directory(stream: IO[bytes], name: str, budget: Budget) -> None:
    """Look at how long the list of entries is before it is read."""
    size = stream.seek(0, 2)
    stream.seek(max(0, size - _END.size - 0xFFFF))
    tail = stream.read()
    place = tail.rfind(b"PK\x05\x06")
    stream.seek(0)
    if place < 0 or len(tail) - place < _END.size:
        raise refused(name, "the zip archive is broken or cut short", "no end of the directory")
    _, _, _, _, count, length, _, _ = _END.unpack_from(tail, place)
    if length > budget.files * (46 + _NAME_BYTES):
        count = max(count, budget.files + 1)
    _check_count(count, name, budget)


def _check_count(count: int, name: str, budget: Budget) -> None:
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
            raise refused(name, "a name in the archive leads elsewhere", shown)
        if inside in seen:
            raise refused(name, "a name occurs twice in the archive", shown)
        seen.add(inside)
        mode = entry.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise refused(name, "an entry of the archive is a link or a device", shown)
        if entry.flag_bits & _ENCRYPTED:
            raise refused(name, "an entry of the archive is encrypted", shown)
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise refused(
                name, "an entry of the archive is packed in another way than deflate", shown
            )


def _check_places(stream: IO[bytes], archive: zipfile.ZipFile, name: str) -> None:
    """No two entries may share bytes, nor any reach into the directory."""
    end = 0
    for entry in sorted(archive.infolist(), key=lambda entry: entry.header_offset):
        stream.seek(entry.header_offset)
        header = stream.read(_LOCAL.size)
        if entry.header_offset < end or len(header) < _LOCAL.size or header[:4] != b"PK\x03\x04":
            raise refused(name, "entries of the archive overlap or are not where it says")
        *_, name_length, extra_length = _LOCAL.unpack(header)
        end = entry.header_offset + _LOCAL.size + name_length + extra_length + entry.compress_size
    if end > archive.start_dir:
        raise refused(name, "entries of the archive overlap or are not where it says")


def _is_wanted(entry: zipfile.ZipInfo) -> bool:
    """Whether it is an answer, not what a desktop puts into archives by itself."""
    pieces = entry.filename.split("/")
    return pieces[0] != "__MACOSX" and not any(piece.startswith(".") for piece in pieces)
