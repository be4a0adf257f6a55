"""The text of a document, laid out in paragraphs with nested mentions.

The original text is shown if the run has it; otherwise words are joined as in printed English, with
no space before commas and after opening brackets.

HTML nests. Where mentions cross, where they are discontinuous and where a paragraph ends inside
one, the mention is closed and opened again: its further pieces are *continued*.

Paragraphs are grouped in blocks that the browser lays out only when they come near the screen
(``content-visibility``). It has to watch every block, so few blocks are better than one per
paragraph; and it lays out whole blocks, so they are no taller than about one screen.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from corefbench.preprocess.english.word_lists import word_set
from corefbench.records import Record
from corefbench.runs.schema import Layer, LayerTokens
from corefbench.workbench.mentions import Mentions

_SENTENCES_PER_PARAGRAPH = 6
"""Length of a paragraph if the text has none."""
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_CLOSING = word_set(
    ", . ; : ! ? ) ] } % ' '' ’ ” 's ’s 'S n't n’t 're 've 'll 'd 'm ’re ’ve ’ll ’d ’m -RRB- -RSB- -RCB- … /."
)
_OPENING = word_set("( [ { `` “ ‘ $ £ € -LRB- -LSB- -LCB-")
_NO_SPEAKER = frozenset(("", "-", "_"))


class DocumentText(Record, frozen=True):
    """A text with the offsets of its tokens."""

    text: str
    begin: Sequence[int]
    finish: Sequence[int]
    """Start and end of each token, in characters."""
    paragraphs: tuple[tuple[int, int], ...]
    """Half-open, in tokens; none is empty."""
    sentences: Sequence[int]
    """The first token of each."""
    speakers: Sequence[str] | None = None

    def excerpt(self, start: int, end: int) -> str:
        """Return the text of some tokens."""
        if not 0 <= start < end <= len(self.begin):
            return ""
        return " ".join(self.text[self.begin[start] : self.finish[end - 1]].split())

    def sentence(self, token: int) -> int:
        """Return the number of a token's sentence, from 1."""
        return max(1, bisect_right(self.sentences, token))

    def speaker(self, token: int) -> str:
        """Return the speaker of a token; empty if there is none."""
        if self.speakers is None or self.speakers[token] in _NO_SPEAKER:
            return ""
        return self.speakers[token]


def document_text(layer: Layer) -> DocumentText:
    """Return the text of a layer."""
    tokens = layer.tokens
    text, begin, finish = _text_and_offsets(tokens)
    sentences = [first for first in tokens.sentences if first < tokens.count] or [0]
    speakers = tokens.columns.get("speaker")
    breaks = _paragraph_starts(text, begin, finish, sentences)
    if speakers is not None:
        turns = (token for token in sentences if token and speakers[token - 1] != speakers[token])
        breaks = sorted({*breaks, *turns})
    edges = [0, *(token for token in breaks if 0 < token < tokens.count), tokens.count]
    return DocumentText(
        text=text,
        begin=begin,
        finish=finish,
        paragraphs=tuple((a, b) for a, b in pairwise(edges) if a < b),
        sentences=sentences,
        speakers=speakers,
    )


def _paragraph_starts(text: str, begin: Sequence[int], finish: Sequence[int], sentences: Sequence[int]) -> list[int]:
    """Return the tokens after blank lines, or every few sentences."""
    if _BLANK_LINE.search(text):
        return [
            token
            for token, (end, start) in enumerate(zip(finish, begin[1:], strict=False), 1)
            if start - end > 1 and _BLANK_LINE.search(text, end, start)
        ]
    return list(sentences[::_SENTENCES_PER_PARAGRAPH])


def _text_and_offsets(tokens: LayerTokens) -> tuple[str, Sequence[int], Sequence[int]]:
    if tokens.text is not None and tokens.begin is not None and tokens.finish is not None:
        spans = zip(tokens.begin, tokens.finish, strict=True)
        if _is_ordered(tokens.begin, tokens.finish) and all(a <= b for a, b in spans):
            return tokens.text, tokens.begin, tokens.finish
    words = tokens.words or tuple(f"#{number}" for number in range(tokens.count))
    return join_words(words, frozenset(tokens.empty or ()))


def _is_ordered(begin: Sequence[int], finish: Sequence[int]) -> bool:
    return all(end <= start for end, start in zip(finish, begin[1:], strict=False))


def join_words(words: Sequence[str], empty: frozenset[int] = frozenset()) -> tuple[str, list[int], list[int]]:
    """Return words as a text with their offsets; empty nodes are shown as ∅.

    >>> join_words(["Ann", "'s", "dog", "(", "old", ")", "."])[0]
    "Ann's dog (old)."
    """
    parts: list[str] = []
    begin, finish, offset, is_first_or_after_opening = [], [], 0, True
    for number, word in enumerate(words):
        shown = f"∅{'' if word == '_' else word}" if number in empty else word
        if not (is_first_or_after_opening or word in _CLOSING):
            parts.append(" ")
            offset += 1
        parts.append(shown)
        begin.append(offset)
        offset += len(shown)
        finish.append(offset)
        is_first_or_after_opening = word in _OPENING
    return "".join(parts), begin, finish


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
        text, segments = self.text, _mention_segments(self.mentions)
        continuing: list[_OpenMention] = []
        position = 0
        for start, end in text.paragraphs:
            first = position
            while position < len(segments) and segments[position][0] < end:
                position += 1
            pieces, continuing = _cut_pieces(text, start, end, segments[first:position], continuing)
            size = text.finish[end - 1] - text.begin[start]
            yield Paragraph(
                sentence=text.sentence(start),
                speaker=text.speaker(start),
                height=1 + 2 * (1 + size // _LINE_CHARACTERS),
                pieces=tuple(pieces),
            )


def layout_paragraphs(text: DocumentText, mentions: Mentions) -> tuple[Paragraph, ...]:
    """Return all paragraphs."""
    return tuple(Paragraphs(text, mentions))


def _mention_segments(mentions: Mentions) -> list[tuple[int, int, int]]:
    """Return start, end and code of every contiguous part, in the order in which they open."""
    segments = list(zip(mentions.start, mentions.end, range(len(mentions)), strict=True))
    for number, parts in mentions.parts.items():
        segments[number] = (*parts[0], number)
        segments += [(*part, -1 - number) for part in parts[1:]]
    return sorted(segments, key=lambda segment: (segment[0], -segment[1])) if mentions.parts else segments


def _cut_pieces(
    prose: DocumentText, start: int, end: int, segments: Sequence[tuple[int, int, int]], continuing: list[_OpenMention]
) -> tuple[list[Piece], list[_OpenMention]]:
    """Return the pieces of a paragraph, and the mentions that continue after it."""
    opening: dict[int, list[_OpenMention]] = {start: list(continuing)}
    for first, last, code in segments:
        opening.setdefault(first, []).append((last, code))
    cuts = {start, end, *opening, *(last for ends in opening.values() for last, _ in ends)}
    pieces: list[Piece] = []
    stack: list[_OpenMention] = []
    reopened: list[_OpenMention] = []
    text, begin, finish = prose.text, prose.begin, prose.finish
    for left, right in pairwise(sorted(cut for cut in cuts if cut <= end)):
        new = opening.get(left, [])
        # What crossed a mention that ended here was closed with it, and is opened again outside.
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
