"""Hostile uploads by family: made to fill the disk or the memory, to lead elsewhere, to be run by
whoever opens an export, or to make the platform quote the key.

Each family is a function that yields uploads. The same ones come out every time.
"""

import bz2
import gzip
import io
import lzma
import random
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from tests.campaign import answers
from tests.conll import conll

GOOD = answers("good")
MEGABYTE = 1 << 20
INCLUDE = "http://www.w3.org/2001/XInclude"


class Upload(NamedTuple):
    """What is sent: its content, under which name, to the task of which format."""

    name: str
    content: bytes
    file_name: str = "run.conll"
    format: str = "conll"
    harmless: bool = False
    """Whether it may be scored: it is only named or filled with what others must escape."""


def zipped(*files: tuple[str | zipfile.ZipInfo, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", packing) as archive:
        for name, content in files:
            archive.writestr(name, content, packing)
    return stream.getvalue()


def tar(*files: tuple[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, content in files:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return stream.getvalue()


class Packed(NamedTuple):
    """An entry as the list of an archive tells it, true or not."""

    name: bytes
    data: bytes
    size: int
    method: int = 8
    flags: int = 0
    offset: int | None = None
    listed_data: int | None = None
    crc: int = 0
    attributes: int = 0


def archive_of(*entries: Packed, count: int | None = None, comment: bytes = b"") -> bytes:
    """A zip archive written byte by byte; entries may say what they like."""
    body, listing = b"", b""
    for entry in entries:
        offset = len(body) if entry.offset is None else entry.offset
        sizes = (entry.crc, len(entry.data), entry.size, len(entry.name), 0)
        if entry.offset is None:
            head = struct.pack("<4s5H3L2H", b"PK\3\4", 20, entry.flags, entry.method, 0, 0, *sizes)
            body += head + entry.name + entry.data
        length = len(entry.data) if entry.listed_data is None else entry.listed_data
        listing += struct.pack(
            "<4s6H3L5H2L", b"PK\1\2", 20, 20, entry.flags, entry.method, 0, 0,
            entry.crc, length, entry.size, len(entry.name), 0, 0, 0, 0, entry.attributes, offset,
        ) + entry.name  # fmt: skip
    number = len(entries) if count is None else count
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, number, number, len(listing), len(body), len(comment))
    return body + listing + end + comment


def deflated(content: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


def bombs() -> Iterator[Upload]:
    zeros = bytes(40 * MEGABYTE)
    lines = b"x\t(1)\n" * (4 * MEGABYTE)
    flat = deflated(zeros)
    yield Upload("zeros.gz", gzip.compress(zeros, 1))
    yield Upload("lines.gz", gzip.compress(lines, 1))
    yield Upload("members.gz", gzip.compress(bytes(MEGABYTE)) * 100)
    yield Upload("zeros.zip", zipped(("a.conll", zeros)))
    yield Upload("lines.zip", zipped(("a.conll", lines)))
    tens = tuple((f"{n}.conll", bytes(4 * MEGABYTE)) for n in range(10))
    yield Upload("ten.zip", zipped(*tens))
    yield Upload("says-small.zip", archive_of(Packed(b"a.conll", flat, 10)))
    yield Upload("says-nothing.zip", archive_of(Packed(b"a.conll", flat, 0)))
    yield Upload("says-huge.zip", archive_of(Packed(b"a.conll", deflated(GOOD), 0xFFFFFFFE)))
    yield Upload("zip64.zip", archive_of(Packed(b"a.conll", deflated(GOOD), 0xFFFFFFFF)))
    few = [Packed(b"%d.conll" % n, b"", 0, 0) for n in range(3_000)]
    yield Upload("many.zip", archive_of(*few))
    yield Upload("many-says-few.zip", archive_of(*few, count=1))
    long = [Packed(b"%d" % n + b"x" * 60_000, b"", 0, 0) for n in range(30)]
    yield Upload("long-list.zip", archive_of(*long, count=1))
    yield Upload("large", b"x\n" * (33 * MEGABYTE))


def overlaps() -> Iterator[Upload]:
    packed = deflated(GOOD)
    first = Packed(b"a.conll", packed, len(GOOD), crc=zlib.crc32(GOOD))
    for n in (1, 20, 500):
        same = [first._replace(name=b"%d.conll" % k, offset=0) for k in range(n)]
        yield Upload(f"same-place-{n}.zip", archive_of(first, *same))
    yield Upload("inside.zip", archive_of(first, first._replace(name=b"b", offset=20)))
    yield Upload("to-the-end.zip", archive_of(first, first._replace(name=b"b", listed_data=10**6)))
    yield Upload("into-list.zip", archive_of(first._replace(listed_data=len(packed) + 30)))
    yield Upload("behind.zip", archive_of(first._replace(offset=10**9)))
    yield Upload("list-as-entry.zip", archive_of(first, first._replace(name=b"b", offset=1)))
    # Fifield's: each local header is quoted by the entry before it, and one kernel serves all.
    kernel = deflated(bytes(10 * MEGABYTE))
    quoted = [Packed(b"%02d" % n, kernel, 10 * MEGABYTE, offset=0) for n in range(50)]
    yield Upload("kernel.zip", archive_of(Packed(b"k", kernel, 10 * MEGABYTE), *quoted))


def sealed_entries() -> Iterator[Upload]:
    packed = deflated(GOOD)
    for name, flags in {"encrypted": 1, "strongly": 0x41, "masked": 0x2000}.items():
        entry = Packed(b"a.conll", packed, len(GOOD), flags=flags, crc=zlib.crc32(GOOD))
        yield Upload(f"{name}.zip", archive_of(entry))
    for method in (1, 6, 9, 12, 14, 93, 95, 97, 99):
        entry = Packed(b"a.conll", packed, len(GOOD), method, crc=zlib.crc32(GOOD))
        yield Upload(f"method-{method}.zip", archive_of(entry))
    yield Upload("bzip2.zip", zipped(("a.conll", GOOD), packing=zipfile.ZIP_BZIP2))
    yield Upload("lzma.zip", zipped(("a.conll", GOOD), packing=zipfile.ZIP_LZMA))
    yield Upload("crc.zip", archive_of(Packed(b"a.conll", packed, len(GOOD), crc=1)))


def paths() -> Iterator[Upload]:
    names = (
        b"../a.conll", b"../../../../etc/passwd", b"/etc/passwd", b"a/../../b.conll", b"..\\a",
        b"C:\\a.conll", b"c:a.conll", b"\\\\host\\share\\a", b"a\\..\\..\\b", b"a\nb.conll",
        b"a\0.conll", b"\x1b[2Ja.conll", b"x" * 600, b"a/" * 300, b"..", b"//a",
    )  # fmt: skip
    packed = deflated(GOOD)
    for number, name in enumerate(names):
        entry = Packed(name, packed, len(GOOD), crc=zlib.crc32(GOOD))
        yield Upload(f"name-{number}.zip", archive_of(entry))
    spoof = "a\u202ecod.conll".encode()
    entry = Packed(spoof, packed, len(GOOD), flags=0x800, crc=zlib.crc32(GOOD))
    yield Upload("right-to-left.zip", archive_of(entry))
    twice = Packed(b"a.conll", packed, len(GOOD), crc=zlib.crc32(GOOD))
    yield Upload("twice.zip", archive_of(twice, twice))
    for kind, mode in {"link": stat.S_IFLNK, "device": stat.S_IFBLK, "pipe": stat.S_IFIFO}.items():
        linked = zipfile.ZipInfo("a.conll")
        linked.external_attr = (mode | 0o777) << 16
        yield Upload(f"{kind}.zip", zipped((linked, b"../../data/test.key.conll")))
    for number, name in enumerate(("../../x", "/etc/passwd", "a\0b", "a\r\nset-cookie: x", ".", "")):
        yield Upload(f"sent-as-{number}", GOOD, name, harmless=True)
    yield Upload("sent-as-long", GOOD, "x" * 5_000, harmless=True)


def nested() -> Iterator[Upload]:
    inner = {
        "zip": zipped(("a.conll", GOOD)),
        "gzip": gzip.compress(GOOD),
        "bzip2": bz2.compress(GOOD),
        "xz": lzma.compress(GOOD),
        "tar": tar(("a.conll", GOOD)),
        "7z": b"7z\xbc\xaf\x27\x1c" + bytes(60),
        "zstandard": b"\x28\xb5\x2f\xfd" + bytes(60),
        "parquet": b"PAR1" + bytes(60) + b"PAR1",
        "rar": b"Rar!\x1a\x07\x01\x00" + bytes(60),
    }
    for kind, content in inner.items():
        yield Upload(f"{kind}-in-zip", zipped(("a.conll", content)))
        yield Upload(f"{kind}-in-gzip", gzip.compress(content))
        if kind not in ("zip", "gzip"):
            yield Upload(f"{kind}-bare", content)
    deep = GOOD
    for _ in range(30):
        deep = gzip.compress(deep)
    yield Upload("thirty-deep.gz", deep)


def broken() -> Iterator[Upload]:
    for kind, whole in {"gz": gzip.compress(GOOD), "zip": zipped(("a.conll", GOOD))}.items():
        for eighths in (1, 3, 5, 7):
            yield Upload(f"cut-{eighths}.{kind}", whole[: len(whole) * eighths // 8])
        yield Upload(f"cut-4-bytes.{kind}", whole[:-4])
        choose = random.Random(kind)
        for turn in range(4):
            changed = bytearray(whole)
            for _ in range(12):
                changed[choose.randrange(4, len(changed))] ^= choose.randrange(1, 256)
            yield Upload(f"flipped-{turn}.{kind}", bytes(changed))
    yield Upload("magic.gz", b"\x1f\x8b")
    yield Upload("magic.zip", b"PK\3\4")
    yield Upload("end-only.zip", b"PK\5\6" + bytes(18))
    fake = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 9, 9, 10**6, 0, 0)
    entry = Packed(b"a.conll", deflated(GOOD), len(GOOD), crc=zlib.crc32(GOOD))
    yield Upload("fake-end.zip", archive_of(entry, comment=fake))
    yield Upload("rubbish-behind.gz", gzip.compress(GOOD) + b"rubbish")
    yield Upload("empty", b"")
    yield Upload("blank", b" \n\t\n")
    yield Upload("noise", random.Random(0).randbytes(100_000))
    yield Upload("empty.zip", zipped())
    yield Upload("empty-files.zip", zipped(("a.conll", b""), ("b.conll", b"")))


def markup() -> Iterator[Upload]:
    names = zip("abcdefghi", "bcdefghij", strict=True)
    laughs = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in names)
    tricks = {
        "laughs": (f'<!DOCTYPE r [<!ENTITY a "ha">{laughs}]>', "&j;"),
        "quadratic": (f'<!DOCTYPE r [<!ENTITY a "{"x" * 100_000}">]>', "&a;" * 10_000),
        "file": ('<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>', "&a;"),
        "key": ('<!DOCTYPE r [<!ENTITY a SYSTEM "data/test.key.conll">]>', "&a;"),
        "network": ('<!DOCTYPE r [<!ENTITY a SYSTEM "http://127.0.0.1:9/x">]>', "&a;"),
        "parameter": ('<!DOCTYPE r [<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;]>', ""),
        "dtd": ('<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x.dtd">', ""),
        "include": ("", f'<xi:include xmlns:xi="{INCLUDE}" href="/etc/passwd"/>'),
        "sheet": ('<?xml-stylesheet href="http://127.0.0.1:9/x.xsl" type="text/xsl"?>', ""),
    }  # fmt: skip
    for kind, (head, use) in tricks.items():
        text = f'<?xml version="1.0"?>{head}<answers><document id="d">{use}</document></answers>'
        yield Upload(f"{kind}.xml", text.encode(), "run.xml", "are")
        yield Upload(f"{kind}.xml.zip", zipped(("run.xml", text.encode())), "run.zip", "are")
    depth = b"<a>" * 50_000
    yield Upload("deep.xml", b"<answers>" + depth, "run.xml", "are")
    wide = b" ".join(b'a%d="x"' % n for n in range(50_000))
    yield Upload("wide.xml", b"<answers " + wide + b"/>", "run.xml", "are")


def lines() -> Iterator[Upload]:
    head = b"#begin document (test/0); part 000\n"
    size = 9 * MEGABYTE
    yield Upload("one-line", b"x" * size)
    yield Upload("spaces", head + b" " * size)
    yield Upload("tabs", head + b"\t" * size)
    yield Upload("columns", head + b"a\t" * (size // 2) + b"(1)\n")
    yield Upload("number", head + b"a 0 0 x (" + b"9" * size + b")\n#end document\n")
    yield Upload("one-line.gz", gzip.compress(random.Random(0).randbytes(64).hex().encode() * 80_000))
    yield Upload("open-brackets", head + b"a 0 0 x " + b"(1|" * 100_000 + b"\n#end document\n")
    yield Upload("closed-brackets", head + b"a 0 0 x " + b"1)|" * 100_000 + b"\n#end document\n")
    yield Upload("bars", head + b"a 0 0 x " + b"|" * 500_000 + b"\n#end document\n")
    yield Upload("begins", head * 100_000)
    yield Upload("blank-lines", head + b"\n" * (10 * MEGABYTE))
    yield Upload("json", b"[" * 1_000_000, "run.jsonl", "jsonlines")
    yield Upload("json-object", b'{"a":' * 200_000, "run.jsonl", "jsonlines")
    yield Upload("json-number", b'{"doc_key": ' + b"9" * MEGABYTE + b"}", "run.jsonl", "jsonlines")


def encodings() -> Iterator[Upload]:
    text = GOOD.decode().replace("w1", "é")
    for name in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "cp037"):
        yield Upload(name, text.encode(name))
    # Words are compared by their bytes; whoever shows them must decode them with care.
    for name, word in {
        "latin-1": b"\xe9",
        "surrogate": b"\xed\xa0\x80",
        "overlong": b"\xc0\xaf",
        "beyond": b"\xf5\x80\x80\x80",
        "cut-sign": b"\xe2\x82",
        "null": b"\0",
    }.items():
        yield Upload(f"word-{name}", GOOD.replace(b"w1", word), harmless=True)
        yield Upload(f"name-{name}", GOOD.replace(b"test/1)", b"test/" + word + b")"), harmless=True)
    yield Upload("marks", b"\xef\xbb\xbf" * 3 + GOOD)
    declared = b'<?xml version="1.0" encoding="UTF-7"?><answers/>'
    yield Upload("utf-7.xml", declared, "run.xml", "are")


INJECTIONS = (
    "=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(1+1)*cmd|' /C calc'!A0", "=HYPERLINK(\"http://x\")",
    "\\input{/etc/passwd}", "\\write18{id}", "$\\catcode`\\%=0$", "}\\end{tabular}\\relax{",
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>",
    "javascript:alert(1)", "{{7*7}}", "{% raw %}", "${7*7}", "'; DROP TABLE submissions; --",
    "%s%s%n", "\x1b]0;x\x07", "a\u202eb", "\ufeff", "𝕬" * 40,
)  # fmt: skip


def injections() -> Iterator[Upload]:
    """What is harmless here and must be when it is shown: file names, documents, words, chains."""
    for number, text in enumerate(INJECTIONS):
        bare = text.replace(" ", "_").replace("\n", "")
        yield Upload(f"file-{number}", GOOD, f"{text}.conll", harmless=True)
        yield Upload(f"document-{number}", conll("(1)", "(1)", name=bare))
        cells = conll(f"({bare}", "(1", name="test/0", words=[bare, "w1"])
        yield Upload(f"word-and-chain-{number}", cells)


def questions() -> Iterator[Upload]:
    """Answers that ask the platform what the key has."""
    yield Upload("no-document-of-the-key", conll("(1)", "(1)", name="test/99"))
    yield Upload("one-document", conll("(1)", "(1)", name="other"))
    yield Upload("document-twice", conll("(1)", "(1)", name="test/0") * 2)
    words = [f"other{n}" for n in range(8)]
    cells = ("(0)", "-", "(1)", "(0)", "", "(1)", "-", "(0)", "(2)")
    yield Upload("other-words", conll(*cells, name="test/0", words=words), harmless=True)
    yield Upload("too-long", conll(*["(1)"] * 500, name="test/0"), harmless=True)
    yield Upload("too-short", conll("(1)", name="test/0"), harmless=True)
    repeated = conll("(1)|(2)|(3)|(4)", "(1)|(2)", name="test/0")
    yield Upload("every-chain", repeated, harmless=True)
    entity = '<answers><document id="d"><a REF="999" SRC="1"/></document></answers>'
    yield Upload("unknown-entity.xml", entity.encode(), "run.xml", "are")
    for name in ("data/test.key.conll", "../data/test.key.conll", "campaign.toml"):
        project = f"<mmax_project><words>{name}</words></mmax_project>"
        yield Upload(f"project-{name.count('/')}-{len(name)}", project.encode(), "x.mmax", "mmax")
    for place in ("key.txt", "../key.txt"):
        annotation = f"T1\tPER 0 3\t{place}\n".encode()
        yield Upload(f"stand-off-{len(place)}", annotation, "key.ann", "brat")
    yield Upload("stand-off.tar", tar(("../key.ann", b"T1\tPER 0 3\tAnn\n")), "key.tar", "brat")


_FAMILIES: dict[str, Callable[[], Iterator[Upload]]] = {
    "bombs": bombs,
    "overlaps": overlaps,
    "sealed entries": sealed_entries,
    "paths": paths,
    "nested": nested,
    "broken": broken,
    "markup": markup,
    "lines": lines,
    "encodings": encodings,
    "injections": injections,
    "questions": questions,
}
FAMILIES = tuple(_FAMILIES)


@cache
def uploads(family: str) -> list[Upload]:
    """The uploads of a family."""
    return list(_FAMILIES[family]())
