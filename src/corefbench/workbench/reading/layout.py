"""Lay out paragraphs with nested mentions for a template.

HTML nests. Where mentions cross, where they are discontinuous and where a paragraph ends inside
one, the mention is closed and opened again: its further pieces are *continued*.

Paragraphs are grouped in blocks that the browser lays out only when they come near the screen
(``content-visibility``). It has to watch every block, so few blocks are better than one per
paragraph; and it lays out whole blocks, so they are no taller than about one screen.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from corefbench.records import Record
from corefbench.workbench.reading.mentions import Mentions
from corefbench.workbench.reading.text import DocumentText

Piece: TypeAlias = tuple[tuple[int, ...], str, int, str]
"""Mentions that open, outermost first (``-1 - mention`` if continued), the text, the number of
mentions that close after it, and the space that follows."""
_OpenMention: TypeAlias = tuple[int, int]
"""The end of a mention, and its code."""

_LINE_CHARACTERS = 90
_MAX_BLOCK_HEIGHT = 80
"""Height of a block in rem, unless a single paragraph is taller."""
_HEIGHT_STEP = 10
"""The style sheet has heights in steps of so many rem …"""
_MAX_STEPS = 16
"""… and so many steps."""


class Paragraph(Record, frozen=True):
    """A paragraph, cut where mentions begin and end."""

    sentence: int
    """The number of its first sentence, from 1."""
    speaker: str
    height: int
    """Estimated height in rem: two per line, and the space between paragraphs."""
    pieces: tuple[Piece, ...]


class Paragraphs:
    """All paragraphs, cut while they are iterated: the first is sent before the last is cut."""

    def __init__(self, text: DocumentText, mentions: Mentions) -> None:
        self.text = text
        self.mentions = mentions

    def __iter__(self) -> Iterator[Paragraph]:
        return _iter_paragraphs(self.text, self.mentions)


def layout_paragraphs(text: DocumentText, mentions: Mentions) -> tuple[Paragraph, ...]:
    """Return all paragraphs."""
    return tuple(Paragraphs(text, mentions))


def _iter_paragraphs(text: DocumentText, mentions: Mentions) -> Iterator[Paragraph]:
    segments = _mention_segments(mentions)
    carried: list[_OpenMention] = []
    position = 0
    for start, end in text.paragraphs:
        first = position
        while position < len(segments) and segments[position][0] < end:
            position += 1
        pieces, carried = _cut_pieces(text, start, end, segments[first:position], carried)
        size = text.finish[end - 1] - text.begin[start]
        yield Paragraph(
            sentence=text.sentence(start),
            speaker=text.speaker(start),
            height=1 + 2 * (1 + size // _LINE_CHARACTERS),
            pieces=tuple(pieces),
        )


def _mention_segments(mentions: Mentions) -> list[tuple[int, int, int]]:
    """Return start, end and code of every contiguous part, in the order in which they open."""
    segments = list(zip(mentions.start, mentions.end, range(len(mentions)), strict=True))
    for number, parts in mentions.parts.items():
        segments[number] = (*parts[0], number)
        segments += [(*part, -1 - number) for part in parts[1:]]
    return sorted(segments, key=lambda segment: (segment[0], -segment[1])) if mentions.parts else segments


def _cut_pieces(
    prose: DocumentText, start: int, end: int, segments: Sequence[tuple[int, int, int]], carried: list[_OpenMention]
) -> tuple[list[Piece], list[_OpenMention]]:
    """Return the pieces of a paragraph, and the mentions that continue after it."""
    opening: dict[int, list[_OpenMention]] = {start: list(carried)}
    for first, last, code in segments:
        opening.setdefault(first, []).append((last, code))
    cuts = {start, end, *opening, *(last for ends in opening.values() for last, _ in ends)}
    pieces: list[Piece] = []
    stack: list[_OpenMention] = []
    reopened: list[_OpenMention] = []
    text, begin, finish = prose.text, prose.begin, prose.finish
    for left, right in pairwise(sorted(cut for cut in cuts if cut <= end)):
        new = opening.get(left, [])
        if reopened or len(new) > 1:
            new = sorted(reopened + new, key=_by_end_descending)
        stack += new
        closes, reopened = _close_mentions(stack, right, end) if stack else (0, [])
        stop = finish[right - 1]
        space = text[stop : begin[right]] if right < end else ""
        pieces.append((tuple([code for _, code in new]), text[begin[left] : stop], closes, space))
    return pieces, reopened


def _by_end_descending(mention: _OpenMention) -> int:
    return -mention[0]


def _close_mentions(stack: list[_OpenMention], token: int, end: int) -> tuple[int, list[_OpenMention]]:
    """Pop mentions down to the outermost one that ends here; return those to open again."""
    lowest = len(stack)
    if token == end:
        lowest = 0
    else:
        for number, (stop, _) in enumerate(stack):
            if stop <= token:
                lowest = number
                break
    closed = stack[lowest:]
    del stack[lowest:]
    return len(closed), [(stop, _continuation_code(code)) for stop, code in closed if stop > token]


def _continuation_code(code: int) -> int:
    """Return the code of a continued piece."""
    return code if code < 0 else -1 - code


class Block(Record, frozen=True):
    """Paragraphs that are laid out together."""

    first: int
    """The number of its first paragraph, from 0."""
    height: int
    """Estimated height in steps, so that the scroll bar is right before it is laid out."""
    paragraphs: tuple[Paragraph, ...]


def group_paragraphs(paragraphs: Iterable[Paragraph]) -> Iterator[Block]:
    """Yield blocks of paragraphs in their order."""
    block: list[Paragraph] = []
    first = height = 0
    for number, paragraph in enumerate(paragraphs):
        if block and height + paragraph.height > _MAX_BLOCK_HEIGHT:
            yield _make_block(first, height, block)
            first, height, block = number, 0, []
        block.append(paragraph)
        height += paragraph.height
    if block:
        yield _make_block(first, height, block)


def _make_block(first: int, height: int, paragraphs: list[Paragraph]) -> Block:
    steps = min(_MAX_STEPS, max(1, round(height / _HEIGHT_STEP)))
    return Block(first=first, height=steps, paragraphs=tuple(paragraphs))
