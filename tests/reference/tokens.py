"""Tokens and sentences by regular expressions, place by place: the rule in its simplest form."""

import itertools
import re
from collections.abc import Iterable, Iterator

Span = tuple[int, int]

_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u0e31-\u0e3a\u0e47-\u0e4e\u200c\u200d\ufe00-\ufe0f"
)
_WORD = rf"[\w{_MARKS}]+"
_TOKEN = re.compile(rf"{_WORD}(?:(?:['’\-]|(?<=\d)[.,](?=\d)){_WORD})*|\.{{2,}}|-{{2,}}|\S")
_END = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*(?=\s)")
_NEXT = re.compile(r"\s+[\"'“‘«(\[¿¡—-]*(.)")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_LINE = re.compile(r"\n")
_TITLE = re.compile(r"(?:\b[A-Z]|\b(?:Mr|Mrs|Ms|Dr|Prof|St|Gen|Col|Capt|Lt|Sgt|Rev|Hon|vs|No))$")
_FINISHED = ".!?…:;\"'”’»)]。！？"
_GLUED = re.compile(r"\w[,;:?!](?=\s|$)|\w\.\s*$")
_APART = re.compile(r"(?<!\S)[.,;:?!](?=\s|$)")


def tokenise(text: str, breaks: Iterable[int] = (), lines: bool | None = None) -> list[list[Span]]:
    """The sentences of a text, each the spans of its tokens."""
    spans = [match.span() for match in _TOKEN.finditer(text)]
    return _sentences(_cut(spans, breaks), sorted(_ends(text, lines)))


def split_at_blanks(text: str, breaks: Iterable[int] = ()) -> list[list[Span]]:
    """The same where tokens stand between blanks and sentences on lines."""
    spans = [match.span() for match in re.finditer(r"\S+", text)]
    return _sentences(_cut(spans, breaks), [match.end() for match in _LINE.finditer(text)])


def segment(text: str, breaks: Iterable[int] = ()) -> list[list[Span]]:
    """Either, as the text asks for."""
    return (split_at_blanks if is_tokenised(text) else tokenise)(text, breaks)


def is_tokenised(text: str) -> bool:
    """Whether marks stand apart, or every line begins and ends with a blank."""
    lines = [line for line in text.split("\n") if line.strip()]
    if lines and all(line[0] == line[-1] == " " for line in lines):
        return True
    return _APART.search(text) is not None and _GLUED.search(text) is None


def _cut(spans: list[Span], breaks: Iterable[int]) -> Iterator[Span]:
    edges = sorted(set(breaks))
    for begin, end in spans:
        inner = [edge for edge in edges if begin < edge < end]
        yield from itertools.pairwise([begin, *inner, end])


def _sentences(spans: Iterable[Span], ends: list[int]) -> list[list[Span]]:
    found: list[list[Span]] = []
    before = -1
    for span in spans:
        ended = sum(end <= span[0] for end in ends)
        if ended != before:
            found.append([])
        found[-1].append(span)
        before = ended
    return found


def _ends(text: str, lines: bool | None) -> Iterator[int]:
    for match in _END.finditer(text):
        following = _NEXT.match(text, match.end())
        if following is None or following[1].islower():
            continue
        if match[0] != "." or not _TITLE.search(text, 0, match.start()):
            yield match.end()
    yield from (match.end() for match in _BLANK_LINE.finditer(text))
    if lines if lines is not None else not _looks_wrapped(text):
        yield from (match.end() for match in _LINE.finditer(text))


def _looks_wrapped(text: str) -> bool:
    rows = [line.strip() for line in text.split("\n")]
    ends = [row[-1] in _FINISHED for row, below in itertools.pairwise(rows) if row and below]
    return 2 * sum(ends) < len(ends)
