"""Taking bracketed text apart: the text without its marks, and the mentions."""

import re

from corefbench.errors import Place
from corefbench.findings import Strictness
from corefbench.record import Record

Mention = tuple[str, int, int]
"""Label, start and end, in characters."""

_MARK = re.compile(
    r"""\\(?P<escaped>[\[\]\\\#r])
      | (?P<open>\[)
      | \](?:\{(?:[^}\\\n]++|\\.)+\}|\(\#\w+\)|\w+)
      | (?P<unlabelled>\])
    """,
    re.VERBOSE,
)

ESCAPED = {rf"\{character}": character for character in r"[]\#"} | {r"\r": "\r"}
"""What stands for characters that would be marks, and for those characters."""


class Marked(Record, frozen=True):
    """A text and its mentions in opening order."""

    text: str
    mentions: list[Mention]
    line: int
    """The line of the file on which the text begins."""


def parse(body: str, source: str, line: int, strictness: Strictness) -> Marked:
    r"""Take the marks out of a text that begins on ``line``.

    >>> parse(r"[[A]1 b]{x y} \[c", "", 1, Strictness())
    Marked(text='A b [c', mentions=[('x y', 0, 3), ('1', 0, 1)], line=1)
    """
    pieces: list[str] = []
    mentions: dict[int, Mention] = {}
    places: dict[int, int] = {}
    opened: list[tuple[int, int, int]] = []  # number, place in the text, place in the body
    length = position = count = 0

    def fault(code: str, message: str, at: int, repair: str) -> None:
        place = _place(source, line, body, at)
        found = body[at : at + 30].split("\n", 1)[0]
        strictness.fault(code, message, place=place, found=found, repair=repair)

    for match in _MARK.finditer(body):
        pieces.append(body[position : match.start()])
        length += match.start() - position
        position = match.end()
        if match["escaped"]:
            pieces.append(ESCAPED[match[0]])
            length += 1
        elif match["open"]:
            opened.append((count, length, match.start()))
            count += 1
        elif not opened:
            fault("CB104", "a bracket is closed that was never opened", match.start(), "left out")
        else:
            number, start, at = opened.pop()
            if match["unlabelled"]:
                fault("CB147", "a bracket has no chain label", match.start(), "left out")
            else:
                mentions[number] = (label_of(match[0]), start, length)
                places[number] = at
    pieces.append(body[position:])
    text = "".join(pieces)
    for _, _, at in opened:
        fault("CB105", "a bracket is opened and never closed", at, "left out")
    for number in [n for n, (_, a, b) in mentions.items() if not text[a:b].strip()]:
        fault("CB112", "a mention has no text", places[number], "left out")
        del mentions[number]
    return Marked(text=text, mentions=[mentions[n] for n in sorted(mentions)], line=line)


def label_of(mark: str) -> str:
    r"""The label in a mark that closes a mention.

    >>> label_of("]1"), label_of(r"]{a\}}"), label_of("](#2)")
    ('1', 'a}', '2')
    """
    if mark[1] == "(":
        return mark[3:-1]
    return re.sub(r"\\(.)", r"\1", mark[2:-1]) if mark[1] == "{" else mark[1:]


def _place(source: str, line: int, body: str, at: int) -> Place:
    start = body.rfind("\n", 0, at) + 1
    return Place(source=source, line=line + body.count("\n", 0, at), column=at - start + 1)


def place_of(marked: Marked, at: int, source: str, document: str) -> Place:
    """The line on which a character of the text stands: brackets do not change lines."""
    return Place(
        source=source, line=marked.line + marked.text.count("\n", 0, at), document=document
    )
