"""Hostile characters: line ends, control characters, escapes and numbers, in every format."""

import re
from collections.abc import Callable, Iterator

from tests.hostile.collection import Case, case
from tests.hostile.samples import samples

TEXTS = {name: content for name, content in samples().items() if b"\0" not in content[:600]}
"""Samples that are text, not archives."""

ESCAPES = {
    "ansi": b"\x1b[2J\x1b[31malpha\x1b]0;owned\x07",
    "bell": b"al\x07pha",
    "backspace": b"alpha\x08\x08\x08\x08\x08gamma",
    "return": b"alpha\rgamma",
    "delete": b"al\x7fpha",
    "c1": "al\x9b31mpha".encode(),
    "direction": "al\u202eahp\u202c".encode(),
    "joiner": "al\u200d\u2060pha".encode(),
    "nonsense": "al\ufffe\uffffpha".encode(),
    "line-separator": "al\u2028pha".encode(),
    "html": b"<script>alert(1)</script>",
    "formula": b"=HYPERLINK(1)",
    "format": b"%s%n{0}{alpha}$(alpha)`id`",
    "path": b"../../alpha",
    "combining": ("a" + "\u0301" * 5_000).encode(),
}


def line_ends() -> Iterator[Case]:
    """Line ends of all kinds, and of several kinds in one file."""
    for name, content in TEXTS.items():
        yield case("cr", name, content.replace(b"\n", b"\r"))
        yield case("crlf", name, content.replace(b"\n", b"\r\n"))
        yield case("crcrlf", name, content.replace(b"\n", b"\r\r\n"))
        yield case("nel", name, content.replace(b"\n", "\x85".encode()))
        yield case("separator", name, content.replace(b"\n", "\u2029".encode()))
        yield case("form-feed", name, content.replace(b"\n", b"\n\x0c\x0b\n"))
        lines = content.split(b"\n")
        ends = (b"\n", b"\r\n", b"\r", b"\n\n", b"\n\r")
        mixed = b"".join(line + ends[i % len(ends)] for i, line in enumerate(lines))
        yield case("mixed", name, mixed)
        yield case("no-end", name, content.rstrip(b"\n"))


def names() -> Iterator[Case]:
    """Names of documents and words that a terminal, a page or a spreadsheet might interpret."""
    for name, content in TEXTS.items():
        for kind, text in ESCAPES.items():
            changed = content.replace(b"alpha", text).replace(b"greeted", text)
            if changed != content:
                yield case(f"name-{kind}", name, changed)


NUMBERS = {
    "negative": b"-1",
    "minus-zero": b"-0",
    "int32": b"2147483648",
    "int64": b"9223372036854775808",
    "huge": b"9" * 400,
    "long": b"9" * 5_000,
    "float": b"1.5",
    "exponent": b"1e9",
    "plus": b"+1",
    "underscore": b"1_0",
    "hex": b"0x1",
    "arabic": "١".encode(),
    "superscript": "²".encode(),
    "nan": b"NaN",
    "blank": b" ",
}
_NUMBER = re.compile(rb"(?<![\w.])\d+(?![\w.])")


def numbers() -> Iterator[Case]:
    """A middle number of a file, and all of them, replaced by something else."""
    for name, content in TEXTS.items():
        found = list(_NUMBER.finditer(content))
        if not found:
            continue
        middle = found[len(found) // 2]
        for kind, text in NUMBERS.items():
            start, end = middle.span()
            yield case(f"number-{kind}", name, content[:start] + text + content[end:])
            yield case(f"numbers-{kind}", name, _NUMBER.sub(text, content))


FAMILIES: dict[str, Callable[..., Iterator[Case]]] = {family.__name__: family for family in (line_ends, names, numbers)}
