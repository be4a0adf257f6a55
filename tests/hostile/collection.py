"""The hostile collection: files that are broken, or made to break their reader, by family.

Each family is a function that yields cases, the same ones every time. Families of large files take a
size; the default is the one to try, and ``small`` in ``families.py`` has a quick one.
"""

# ruff: noqa: E501 -- the files are easier to compare where each is one line

import gzip
import io
import json
import random
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.hostile.samples import extension, samples

XML = ("workbench", "are", "mate", "ecbplus", "mmax")
TAGS = (*XML, "muc", "ontonotes")
COLUMNS = ("conll", "semeval", "corefud", "ua", "webanno")


class Case(NamedTuple):
    """A file to be read: its name, what is in it, and how it must be answered."""

    name: str
    content: bytes
    format: str | None
    refused: bool = False
    """Whether it must not be read, neither strictly nor leniently."""
    beside: tuple[tuple[str, bytes], ...] = ()
    """Files that lie beside it."""


def case(kind: str, format: str, content: bytes, **more: object) -> Case:
    return Case(f"{format}-{kind}{extension(format)}", content, format, **more)  # type: ignore[arg-type]


def truncated() -> Iterator[Case]:
    for name, content in samples().items():
        for eighths in (1, 3, 5, 7):
            yield case(f"cut-{eighths}", name, content[: len(content) * eighths // 8])


def junk() -> Iterator[Case]:
    choose = random.Random(0)
    for name, content in samples().items():
        noise = choose.randbytes(2_000)
        yield case("noise", name, noise)
        yield case("noise-inside", name, content[: len(content) // 2] + noise + content[len(content) // 2 :])


def flipped() -> Iterator[Case]:
    """Some bytes changed at random."""
    choose = random.Random(1)
    for name, content in samples().items():
        for turn in range(3):
            broken = bytearray(content)
            for _ in range(10):
                broken[choose.randrange(len(broken))] = choose.choice(b"\0\t\n ()<>[]{}\"'&|-_0\xff")
            yield case(f"flipped-{turn}", name, bytes(broken))


def nulls() -> Iterator[Case]:
    for name, content in samples().items():
        half = len(content) // 2
        yield case("null", name, content[:half] + b"\0" + content[half:])
        yield case("null-lines", name, content.replace(b"\n", b"\n\0\n", 3))


def encodings() -> Iterator[Case]:
    for name, content in samples().items():
        text = content.decode("latin-1" if b"\x00" in content[:600] else "utf-8", "replace")
        if name not in ("brat", "litbank"):
            yield case("utf16-bom", name, text.encode("utf-16"), refused=True)
            yield case("utf16-le", name, text.encode("utf-16-le"))
        yield case("utf16-be-bom", name, b"\xfe\xff" + text.encode("utf-16-be"))
        yield case("latin1", name, content.replace("é".encode(), b"\xe9"))
        yield case("surrogate", name, content.replace("é".encode(), b"\xed\xa0\x80"))
        yield case("bom-bom", name, b"\xef\xbb\xbf" * 2 + content)


def long_lines(size: int = 1 << 20) -> Iterator[Case]:
    for name, content in samples().items():
        if name not in ("brat", "litbank", "mmax"):
            yield case("long-word", name, content.replace(b"greeted", b"x" * size, 1))
            yield case("long-space", name, content.replace(b"\n", b" " * size + b"\n", 1))
        yield case("one-line", name, b"x" * size)
    yield case("many-columns", "conll", b"#begin document (a);\n" + b"a\t" * size + b"(1)\n")
    yield case("many-lines", "conll", b"#begin document (a);\n" + b"\n" * size)
    yield case("long-number", "conll", b"#begin document (a); part 0\nx (" + b"9" * size + b")\n")


def deep(depth: int = 50_000) -> Iterator[Case]:
    yield case("deep", "conll", b"#begin document (a);\nx " + b"(1" * depth + b"\ny " + b"1)" * depth + b"\n")
    yield case("deep-open", "conll", b"#begin document (a);\nx " + b"(1" * depth + b"\n")
    yield case("deep-bars", "conll", b"#begin document (a);\nx " + b"|" * depth + b"\n")
    row = b"1\tx" + b"\t_" * 7 + b"\tEntity=%s\n\n"
    head = b"# newdoc id = a\n# global.Entity = eid-etype-head-other\n"
    yield case("deep", "corefud", head + row % (b"(e1-p-1-" * depth))
    yield case("deep-close", "corefud", head + row % (b"e1)" * depth))
    ua = b"# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY\n# newdoc id = a\n"
    yield case("deep", "ua", ua + b"1\tx" + b"\t_" * 8 + b"\t" + b"(EntityID=1|MarkableID=m" * depth + b"\n\n")
    yield case("deep-close", "ua", ua + b"1\tx" + b"\t_" * 8 + b"\t" + b")" * depth + b"\n\n")
    for name in XML:
        root = samples()[name].split(b">", 1)[0].rsplit(b"<", 1)[-1].split()[0].strip(b"?")
        tag = root if root and root != b"xml" else b"document"
        yield case("deep", name, b"<" + tag + b">" + b"<a>" * depth + b"</a>" * depth + b"</" + tag + b">")
        yield case("deep-open", name, b"<?xml version='1.0'?>\n" + b"<document>" * depth)
        attributes = b" ".join(b'a%d="x"' % n for n in range(depth))
        yield case("attributes", name, b"<document " + attributes + b"></document>", refused=False)
    yield case(
        "deep",
        "muc",
        b"<DOC><DOCID>a</DOCID><TXT>" + b'<COREF ID="1">' * depth + b"x" + b"</COREF>" * depth + b"</TXT></DOC>",
    )
    yield case("deep-open", "muc", b"<DOC><TXT>" + b'<COREF ID="1" REF="1">' * depth)
    yield case(
        "deep",
        "ontonotes",
        b'<DOC DOCNO="a">\n<TEXT PARTNO="000">\n'
        + b'<COREF ID="1" TYPE="IDENT">' * depth
        + b"x"
        + b"</COREF>" * depth
        + b"\n</TEXT>\n</DOC>\n",
    )
    for name in ("jsonlines", "preco"):
        yield case(
            "deep-list",
            name,
            b'{"doc_key": "a", "id": "a", "sentences": ' + b"[" * depth + b"]" * depth + b"}",
            refused=True,
        )
        yield case("deep-open", name, b"[" * depth, refused=True)
        yield case("deep-object", name, b'{"a":' * depth, refused=True)
        yield case(
            "deep-other", name, b'{"sentences": [["a"]], "clusters": [], "x": ' + b"[" * depth + b"]" * depth + b"}"
        )
    yield case("deep", "inline", b"[" * depth + b"x" + b"]1" * depth)
    yield case("deep-open", "inline", b"[" * depth)
    yield case("deep-close", "inline", b"x ]1" * depth)


CELLS = (
    "(1", "1)", "((1)", "(1))", "()", "(", ")", "(1|", "|1)", "(1)(1)", "1", "(1-2)", "(-1)", ")1(",
    "(1|2)|(3", "(a", "(1)|(1)|(1)", "(é)", "(1 2)", "((((", "))))", "(1)|", "*", "(0x1)",
    "(99999999999999999999)", "(1)x", "[1]", "(1,2)",
)  # fmt: skip


def brackets() -> Iterator[Case]:
    for number, cell in enumerate(CELLS):
        for name in ("conll", "semeval"):
            fill = b"\t_" * 14 if name == "semeval" else b""
            text = (
                b"#begin document (a);\n1\tx"
                + fill
                + b"\t"
                + cell.encode()
                + b"\n2\ty"
                + fill
                + b"\t_\n\n#end document\n"
            )
            yield case(f"cell-{number}", name, text)
    for number, cell in enumerate(CELLS[:14]):
        row = f"1\tx{chr(9)}_\t_\t_\t_\t_\t_\t_\tEntity={cell}\n\n"
        text = f"# newdoc id = a\n# global.Entity = eid-etype-head-other\n{row}"
        yield case(f"cell-{number}", "corefud", text.encode())
    for number, text in enumerate(("[", "]", "[a", "a]1", "[a]", "[]1", "[[a]1", "[a]1]1", "[a]x y", "[a]1 [b")):
        yield case(f"bracket-{number}", "inline", text.encode())


def entities() -> Iterator[Case]:
    bomb = (
        '<!DOCTYPE r [<!ENTITY a "ha">'
        + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
        + "]>"
    )
    tricks = {
        "laughs": (bomb, "&j;"),
        "quadratic": (f'<!DOCTYPE r [<!ENTITY a "{"x" * 100_000}">]>', "&a;" * 10_000),
        "external": ('<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>', "&a;"),
        "network": ('<!DOCTYPE r [<!ENTITY a SYSTEM "http://127.0.0.1:9/x">]>', "&a;"),
        "parameter": ('<!DOCTYPE r [<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;]>', ""),
        "dtd": ('<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x.dtd">', ""),
    }
    for name in XML:
        content = samples()[name].decode()
        first, _, behind = (content.partition("?>\n")[2] or content).partition(">")
        for kind, (dtd, use) in tricks.items():
            text = f'<?xml version="1.0"?>\n{dtd}\n{first}>{use}{behind}'
            yield case(kind, name, text.encode())
        yield case(
            "include",
            name,
            f'{first}><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd" parse="text"/>{behind}'.encode(),
        )
    for kind, (dtd, use) in tricks.items():
        yield case(kind, "muc", f"{dtd}<DOC><DOCID>a</DOCID><TXT>{use} x</TXT></DOC>".encode())


ZEROS = ("jsonlines", "preco", "muc", "mate", "corefud", "text", "brat")


def packed(zeros_in: tuple[str, ...] = ZEROS, megabytes: int = 160) -> Iterator[Case]:
    def gz(pieces: Iterator[bytes]) -> bytes:
        stream = io.BytesIO()
        with gzip.GzipFile(fileobj=stream, mode="wb", mtime=0, compresslevel=6) as packer:
            for piece in pieces:
                packer.write(piece)
        return stream.getvalue()

    head = b"#begin document (a);\n"
    blank = bytes(1 << 20)
    zeros = gz(iter([blank] * megabytes))
    yield Case("zeros.conll.gz", zeros, "conll", refused=True)
    yield Case("blanks.conll.gz", gz(iter([head, *[b" " * (1 << 20)] * megabytes])), "conll", refused=True)
    yield Case("twice.conll.gz", gz(iter([zeros])), "conll", refused=True)
    yield Case("members.conll.gz", zeros * 2, "conll", refused=True)
    for name in zeros_in:
        yield Case(f"{name}-zeros{extension(name)}.gz", zeros, name, refused=True)
    whole = gz(iter([samples()["conll"] * 50]))
    for cut in (3, 10, 19, 40, len(whole) - 4):
        yield Case(f"cut-{cut}.conll.gz", whole[:cut], "conll", refused=cut < 30)
    for place in (3, 12, len(whole) // 2, len(whole) - 6):
        broken = bytearray(whole)
        broken[place] ^= 0x55
        yield Case(f"flip-{place}.conll.gz", bytes(broken), "conll")
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.conll", bytes(1 << 20))
    yield Case("bomb.zip", zipped.getvalue(), None, refused=True)
    yield Case("bomb.conll", zipped.getvalue(), "conll")


def archives() -> Iterator[Case]:
    """Tar archives of stand-off annotation with names and members that lead elsewhere."""
    names = ("../../evil", "/etc/evil", "a/../../b", "..", "", "a\0b", "x" * 5_000, "a\nb", "é")
    for form in ("brat", "litbank"):
        for number, stem in enumerate(names):
            yield Case(
                f"{form}-name-{number}.tar",
                _tar([(f"{stem}.ann", b"T1\tPER 0 3\tAnn\n"), (f"{stem}.txt", b"Ann.\n")]),
                form,
            )
        yield Case(f"{form}-alone.tar", _tar([("a.ann", b"T1\tPER 0 3\tAnn\n")]), form, refused=True)
        yield Case(f"{form}-link.tar", _tar([("a.ann", b"T1\tPER 0 3\tAnn\n")], link="a.txt"), form, refused=True)
        whole = _tar([("a.ann", b"T1\tPER 0 3\tAnn\n"), ("a.txt", b"Ann.\n")])
        yield Case(f"{form}-size.tar", whole[:124] + b"77777777777\0" + whole[136:], form)
        yield Case(f"{form}-cut.tar", whole[:700], form)
        yield Case(
            f"{form}-twice.tar", _tar([("a.ann", b""), ("a.ann", b"T1\tPER 0 3\tAnn\n"), ("a.txt", b"Ann.\n")]), form
        )


def _tar(members: list[tuple[str, bytes]], link: str = "") -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        if link:
            member = tarfile.TarInfo(link)
            member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(member)
    return stream.getvalue()


def paths() -> Iterator[Case]:
    """MMAX2 projects and MATE files whose companions are elsewhere."""
    places = (
        "/etc/passwd", "../../../../etc/passwd", "..", "", "a/../../x", "file:///etc/passwd", "C:\\x",
        "\\\\host\\x", "x" * 5_000, "http://127.0.0.1:9/x", "a\nb", "~/x", "d.mmax", ".",
    )  # fmt: skip
    for number, place in enumerate(places):
        text = f'<?xml version="1.0"?>\n<mmax_project><words>{place}</words></mmax_project>'
        yield case(f"words-{number}", "mmax", text.encode(), refused=True)
        common = f"<common_paths><basedata_path>{place}</basedata_path></common_paths>"
        yield Case(
            f"mmax-paths-{number}/d.mmax",
            samples()["mmax"],
            "mmax",
            beside=((f"mmax-paths-{number}/common_paths.xml", common.encode()),),
        )
        mate = samples()["mate"].replace(b'href="', f'href="{place}'.encode())
        yield case(f"href-{number}", "mate", mate)


def annotations() -> Iterator[Case]:
    """brat and LitBank annotation with impossible spans, ids and references."""
    lines = (
        "T1\tPER -1 3\tAnn", "T1\tPER 3 0\tAnn", "T1\tPER 0 99999999999999999999\tAnn", "T1\tPER 0\tAnn",
        "T1\tPER 0 3", "T1", "T1\t\t", "T\tPER 0 3\tAnn", "T1\tPER 0 3\tAnn\nT1\tPER 4 7\tsaw",
        "T1\tPER 0 3;2 5\tAnn", "T1\tPER 0 3;;4 5\tAnn", "R1\tCoref Arg1:T1 Arg2:T2", "R1\tCoref", "*\tEquiv",
        "*\tEquiv T1 T2", "A1\tx T9 y", "#1\tAnnotatorNotes T9\tx", "E1\tx:T9", "T1\tPER 0 0\t", "T1\tPER 1 2\tX",
        "T" + "9" * 100_000 + "\tPER 0 3\tAnn", "MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP", "MENTION\tT1\t-1\t0\t0\t9\tAnn\tPER\tPROP",
        "COREF\tT1\t1", "COP\tT1\tT2", "MENTION",
    )  # fmt: skip
    for number, line in enumerate(lines):
        for form in ("brat", "litbank"):
            name = f"{form}-{number}"
            yield Case(f"{name}.ann", f"{line}\n".encode(), form, beside=((f"{name}.txt", b"Ann saw her dog.\n"),))
    yield Case("alone.ann", b"T1\tPER 0 3\tAnn\n", "brat", refused=True)
    yield Case("binary.ann", b"T1\tPER 0 3\tAnn\n", "brat", beside=(("binary.txt", b"\xff\xfe\x00\xd8"),))


def objects() -> Iterator[Case]:
    """JSON of the wrong shape, and numbers that are none."""
    good: dict[str, object] = {
        "doc_key": "a",
        "id": "a",
        "sentences": [["Ann", "left"]],
        "clusters": [[[0, 0]]],
        "mention_clusters": [[[0, 0, 1]]],
    }
    wrong: tuple[object, ...] = (
        None,
        0,
        "x",
        [],
        {},
        [[]],
        [None],
        [[1]],
        [[[0]]],
        [[[0, 0, 0, 0]]],
        [[[-1, 0]]],
        [[[5, 2]]],
        [[[0, -1, 1]]],
        [[[0, 10**30]]],
        [[["0", "0"]]],
        [[[0.5, 1]]],
        True,
    )
    for name in ("jsonlines", "preco"):
        for key in ("sentences", "clusters" if name == "jsonlines" else "mention_clusters"):
            for number, value in enumerate(wrong):
                yield case(f"{key}-{number}", name, json.dumps(good | {key: value}).encode())
        texts = (
            b"{}",
            b"null",
            b"[]",
            b"{",
            b'{"a"',
            b"NaN",
            b'{"sentences": NaN}',
            b"\xef\xbb\xbf",
            b'{"doc_key": "\\ud800", "id": "\\ud800", "sentences": [["\\ud800"]]}',
            b'{"doc_key": 1e999999}',
            b"}{",
            json.dumps(good).encode() * 2,
        )
        for number, text in enumerate(texts):
            yield case(f"text-{number}", name, text)


def tables() -> Iterator[Case]:
    """Tab-separated files with too few cells, too many, wrong numbers and quotes."""
    changes = (
        ("17", "-1"), ("17", "9999"), ("17", "x"), ("17", ""), ("TRUE", "MAYBE"), ("TRUE", ""), ("\t", "\t\t"), ("\t", " "),
        ("\t", ","), ("test-1", '"test-1'), ("test-1", "test-1\n"), ("ID", "Id"), ("she\t17", "he\t17"), ("\n", "\r"), ("Ann", ""),
        ("test-1", "test-1" * 50_000), ("17", "١٧"), ("17", "1e1"), ("17", "9" * 5_000),
    )  # fmt: skip
    for number, (old, new) in enumerate(changes):
        yield case(f"change-{number}", "gap", samples()["gap"].decode().replace(old, new).encode())
    for number, text in enumerate(
        ("test-1\tTRUE", "test-1\tTRUE\tx", "\t\t\n", "test-1\tTRUE\tTRUE\n" * 2, "ID\n", "\n\n")
    ):
        yield case(f"answers-{number}", "gap", text.encode())
    for number, text in enumerate(
        (
            "1",
            "1 a",
            "x [a] [b]",
            "1 [a] b",
            "1 [a] [b] [c]",
            "1 [a [b]]",
            "1 ]a[ ]b[",
            "1 [] []",
            "0 [a] [b]",
            "1 [[a]] [[b]]",
        )
    ):
        yield case(f"line-{number}", "winobias", f"{text}\n".encode())
    for number, text in enumerate(
        (
            "x",
            "x\ty",
            "a.b.c.d.txt\tThe a.",
            "a.b.9.male.txt\tThe a told the b he left.",
            "....\tx",
            "technician.customer.1.male.txt\t",
            "\t",
            "technician.customer.1.male.txt",
        )
    ):
        yield case(f"line-{number}", "winogender", f"sentid\tsentence\n{text}\n".encode())
    head = b"#FORMAT=WebAnno TSV 3.2\n#T_SP=webanno.custom.Referent|entity|infstat\n#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent\n\n\n#Text=Ann left\n"
    rows = (
        b"1-1\t0-3\tAnn",
        b"1-1\t0-3\tAnn\tperson[1]",
        b"1-1\t3-0\tAnn\tperson\tnew\t_\t_",
        b"x\ty\tz\t_\t_\t_\t_",
        b"1-1\t0-3\tAnn\tperson\tnew\tcoref\t9-9",
        b"1-1\t0-3\tAnn\tperson[x]\tnew[1]\tcoref\t1-1[9_9]",
        b"1-1\t0-3\tAnn\tperson|thing\tnew\tcoref|x\t1-1",
        b"1-1\t-1--3\tAnn\t_\t_\t_\t_",
        b"1-1.1\t0-3\tAnn\t_\t_\t_\t_",
    )
    for number, row in enumerate(rows):
        yield case(f"row-{number}", "webanno", head + row + b"\n")
    yield case("no-header", "webanno", b"1-1\t0-3\tAnn\t_\t_\n")
    yield case("header", "webanno", b"#FORMAT=WebAnno TSV 3.2\n#T_SP=\n#T_RL=|\n")


def identities(length: int = 1_000_000) -> Iterator[Case]:
    """Ids that occur twice, that are huge, that point to nothing or to themselves."""
    giant = b"x" * length
    for name, content in samples().items():
        if name in ("text", "winobias", "brat", "litbank"):
            continue
        yield case("giant-name", name, content.replace(b"alpha", giant))
        yield case("same-names", name, content.replace(b"beta", b"alpha"))
        yield case("no-names", name, content.replace(b"alpha", b"").replace(b"beta", b""))
        yield case("twice", name, content * 2)
    body = "<DOC><DOCID>a</DOCID><TXT>{}</TXT></DOC>"
    tags = (
        '<COREF ID="1" REF="1">x</COREF>', '<COREF ID="1" REF="2">x</COREF> <COREF ID="2" REF="1">y</COREF>', '<COREF ID="1" REF="9">x</COREF>',
        '<COREF ID="1">x</COREF><COREF ID="1">y</COREF>', "<COREF>x</COREF>", "<COREF ID=>x</COREF>", "<COREF ID='1>x</COREF>", "</COREF>",
        '<COREF ID="1" MIN="zzz">x</COREF>', '<COREF ID="1"></COREF>', "<COREF", "<", "<COREF ID=1 ID=2>x</COREF>", "<!-- x", "<![CDATA[x", "&#x110000;", "&#0;", "&nosuch;",
    )  # fmt: skip
    for number, tag in enumerate(tags):
        yield case(f"tag-{number}", "muc", body.format(tag).encode())
        yield case(
            f"tag-{number}", "ontonotes", f'<DOC DOCNO="a">\n<TEXT PARTNO="000">\n{tag}\n</TEXT>\n</DOC>\n'.encode()
        )
    for number, (old, new) in enumerate(
        (
            (b't_id="1"', b't_id="-1"'),
            (b't_id="1"', b't_id="2"'),
            (b't_id="2"', b""),
            (b't_id="2"', b't_id="x"'),
            (b"m_id=", b"n_id="),
            (b'm_id="', b'm_id="9'),
            (b"Document", b"Dokument"),
            (b"token", b"tokn"),
        )
    ):
        yield case(f"change-{number}", "ecbplus", samples()["ecbplus"].replace(old, new))


FAMILIES: dict[str, Callable[..., Iterator[Case]]] = {
    family.__name__: family
    for family in (
        truncated, junk, flipped, nulls, encodings, long_lines, deep, brackets, entities, packed, archives,
        paths, annotations, objects, tables, identities,
    )
}  # fmt: skip


def put(cases: list[Case], folder: Path) -> list[Path]:
    """The files of the cases, written into a folder."""
    found = []
    for one in cases:
        for name, content in ((one.name, one.content), *one.beside):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        found.append(folder / one.name)
    return found
