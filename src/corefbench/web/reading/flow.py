"""Prose cut where mentions begin and end, so that a template can print it from left to right.

HTML nests. Where mentions cross, where they are discontinuous and where a paragraph ends inside
one, the mention is closed and opened again: its further pieces are *continued*.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from corefbench.record import Record
from corefbench.web.reading.mentions import Mentions
from corefbench.web.reading.prose import Prose

Piece: TypeAlias = tuple[tuple[int, ...], str, int, str]
"""The mentions that open, outermost first (``-1 - mention`` for one that is continued), the text,
how many close after it, and the space that follows."""
_Open: TypeAlias = tuple[int, int]
"""Where it ends, and its code."""

_LINE = 90
"""Characters of a line."""


class Paragraph(Record, frozen=True):
    """A paragraph."""

    sentence: int
    """The number of its first sentence, from 1."""
    speaker: str
    height: int
    """About how tall, in rem: lines of two, and what is between paragraphs."""
    pieces: tuple[Piece, ...]


class Flow:
    """All paragraphs, cut when they are asked for: the first can be read before the last is."""

    def __init__(self, prose: Prose, found: Mentions) -> None:
        self.prose = prose
        self.found = found

    def __iter__(self) -> Iterator[Paragraph]:
        return _paragraphs(self.prose, self.found)


def flow(prose: Prose, found: Mentions) -> tuple[Paragraph, ...]:
    """All paragraphs at once."""
    return tuple(Flow(prose, found))


def _paragraphs(prose: Prose, found: Mentions) -> Iterator[Paragraph]:
    segments = _segments(found)
    carried: list[_Open] = []
    at = 0
    for start, end in prose.paragraphs:
        first = at
        while at < len(segments) and segments[at][0] < end:
            at += 1
        pieces, carried = _pieces(prose, start, end, segments[first:at], carried)
        size = prose.finish[end - 1] - prose.begin[start]
        yield Paragraph(
            sentence=prose.sentence(start),
            speaker=prose.speaker(start),
            height=1 + 2 * (1 + size // _LINE),
            pieces=tuple(pieces),
        )


def _segments(found: Mentions) -> list[tuple[int, int, int]]:
    """Start, end and code of every contiguous part, in the order in which they open."""
    made = list(zip(found.start, found.end, range(len(found)), strict=True))
    for number, parts in found.parts.items():
        made[number] = (*parts[0], number)
        made += [(*part, -1 - number) for part in parts[1:]]
    return sorted(made, key=lambda one: (one[0], -one[1])) if found.parts else made


def _pieces(
    prose: Prose,
    start: int,
    end: int,
    segments: Sequence[tuple[int, int, int]],
    carried: list[_Open],
) -> tuple[list[Piece], list[_Open]]:
    """The pieces of a paragraph, and the mentions that go on after it."""
    opening: dict[int, list[_Open]] = {start: list(carried)}
    for first, last, code in segments:
        opening.setdefault(first, []).append((last, code))
    cuts = {start, end, *opening, *(last for some in opening.values() for last, _ in some)}
    made: list[Piece] = []
    stack: list[_Open] = []
    again: list[_Open] = []
    text, begin, finish = prose.text, prose.begin, prose.finish
    for left, right in pairwise(sorted(cut for cut in cuts if cut <= end)):
        new = opening.get(left, [])
        if again or len(new) > 1:
            new = sorted(again + new, key=_latest)
        stack += new
        closes, again = _close(stack, right, end) if stack else (0, [])
        stop = finish[right - 1]
        space = text[stop : begin[right]] if right < end else ""
        made.append((tuple([code for _, code in new]), text[begin[left] : stop], closes, space))
    return made, again


def _latest(one: _Open) -> int:
    return -one[0]


def _close(stack: list[_Open], place: int, end: int) -> tuple[int, list[_Open]]:
    """Take from the stack what ends here, with all that is in it; the rest is opened again."""
    lowest = len(stack)
    if place == end:
        lowest = 0
    else:
        for number, (stop, _) in enumerate(stack):
            if stop <= place:
                lowest = number
                break
    closed = stack[lowest:]
    del stack[lowest:]
    return len(closed), [(stop, _again(code)) for stop, code in closed if stop > place]


def _again(code: int) -> int:
    """The code of a further piece."""
    return code if code < 0 else -1 - code
