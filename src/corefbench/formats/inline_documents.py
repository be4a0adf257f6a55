"""The documents of a bracketed text, as their headers divide it."""

import re
from collections.abc import Iterator

from corefbench.record import Record

# The words come first, and the beginning of the line is looked for behind: this is searched fast.
_HEADER = re.compile(r"(?m)# document (?<![^\n]# document )(.*?)(?:; part (\d{1,9}))?$")


class Body(Record, frozen=True):
    """A document as it is written: its name and part, and the text with its marks."""

    name: str
    part: int
    line: int
    """The line of the file on which the text begins."""
    text: str


def bodies(text: str, stem: str) -> Iterator[Body]:
    """The documents; what stands before the first header, or without one, has the file's name.

    >>> list(bodies("# document a; part 2\\n\\nHi\\n", "file"))
    [Body(name='a', part=2, line=3, text='Hi')]
    """
    headers = list(_HEADER.finditer(text))
    before = text[: headers[0].start()] if headers else text
    if before.strip():
        yield Body(name=stem, part=-1, line=1, text=before.removesuffix("\n"))
    ends = [*(header.start() for header in headers), len(text)][1:]
    line, counted = 2, 0
    for header, end in zip(headers, ends, strict=True):
        line += text.count("\n", counted, header.end())
        counted = header.end()
        body = text[header.end() + 1 : end].removesuffix("\n")
        blank = body.startswith("\n")
        yield Body(
            name=header[1].strip(),
            part=int(header[2]) if header[2] else -1,
            line=line + blank,
            text=(body[1:] if blank else body).removesuffix("\n"),
        )
