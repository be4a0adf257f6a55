"""Split text into paragraphs, blocks and slices for parsing."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from corefbench.preprocess.base import Input
from corefbench.records import Record

# Atomic groups and possessive quantifiers: without them, a file of blank lines takes quadratic time.
_NEWLINE = r"(?>\r\n|[\n\r\u2029])"
_BLANK_LINES = re.compile(rf"{_NEWLINE}[^\S\n\r\u2029]*+{_NEWLINE}\s*+")
_LINE = re.compile(r"[^\n\r\u2029]+")
_SENTENCE_FINAL = ".!?…:;\"'”’»)]"
_WRAPPED_LINE = 45
"""Characters; a line of at least this length may have been wrapped."""
MAX_SLICE = 6_000
"""Characters; about a thousand words."""
MAX_WORD = 300
"""Characters; longer words are cut, because tokenizers take quadratic time in their length."""
_SENTENCE_END = re.compile(r"(?<=[a-z]{2}[a-z)][.!?])\s+(?=[A-Z\"'“‘(\[])")
_SPACE = re.compile(r"\s+")
_LONG_WORD = re.compile(rf"\S{{{MAX_WORD + 1},}}")
_LINE_BREAKS_TO_SPACES = str.maketrans("\n\r\t\x0b\x0c\u2029", "      ")


class TextSlice(Record, frozen=True):
    """A slice of text, or of words with their offsets."""

    begin: int = 0
    text: str = ""
    words: list[str] | None = None
    offsets: tuple[tuple[int, int], ...] = ()
    spaces: tuple[bool, ...] = ()
    """Which words a space follows."""
    starts: list[bool] | None = None
    """Which words begin a sentence, if sentences are given."""

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.offsets[-1][1] if self.offsets else self.begin + len(self.text)


def slice_input(source: Input) -> Iterator[TextSlice]:
    """Yield the slices of an input in text order; at least one, which may be empty."""
    return _slice_text(source.text) if source.offsets is None else _slice_words(source)


def split_text(text: str, longest: int = MAX_SLICE) -> Iterator[tuple[int, int]]:
    """Yield the spans of slices: blocks, or parts of long ones.

    Slices are parsed one by one, so that memory depends on the slice, not on the text. Parts end
    with a sentence, a word or, at worst, anywhere.

    >>> list(split_text("It was late. We went home. Nobody spoke.", longest=30))
    [(0, 26), (27, 40)]
    """
    for begin, end in split_blocks(text):
        while end - begin > longest:
            cut, after = _find_cut(text, begin, begin + longest)
            yield begin, cut
            begin = after
        if begin < end:
            yield begin, end


def split_long_words(text: str) -> list[str]:
    """Split a slice inside words of absurd length.

    >>> [len(part) for part in split_long_words("a " + "b" * 700)]
    [302, 300, 100]
    """
    parts, begin = [], 0
    for word in _LONG_WORD.finditer(text):
        for cut in range(word.start() + MAX_WORD, word.end(), MAX_WORD):
            parts.append(text[begin:cut])
            begin = cut
    return [*parts, text[begin:]]


def split_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of blocks, without surrounding white space.

    Blank lines end a block, and so does every line break unless lines are wrapped. Sentences end
    with their block.

    >>> text = "Fruit\\n\\n- apples\\n- pears"
    >>> [text[a:b] for a, b in split_blocks(text)]
    ['Fruit', '- apples', '- pears']
    """
    # In wrapped text a line break is a space; elsewhere it ends a heading or the item of a list.
    wrapped = _looks_wrapped(text)
    start = 0
    for end, following in [*(m.span() for m in _BLANK_LINES.finditer(text)), (len(text),) * 2]:
        lines = [(start, end)] if wrapped else [m.span() for m in _LINE.finditer(text, start, end)]
        for a, b in lines:
            part = text[a:b]
            if part.strip():
                yield a + len(part) - len(part.lstrip()), a + len(part.rstrip())
        start = following


def number_paragraphs(
    text: str, offsets: Sequence[tuple[int, int]], sentences: Sequence[tuple[int, int]]
) -> tuple[int, ...]:
    """Return for every sentence the number of its paragraph; blank lines separate paragraphs.

    >>> number_paragraphs("A.\\n\\nB. C.", [(0, 2), (4, 6), (7, 9)], [(0, 1), (1, 2), (2, 3)])
    (0, 1, 1)
    """
    first = len(text) - len(text.lstrip())
    ends = [gap.start() for gap in _BLANK_LINES.finditer(text, first)]
    number, result = 0, []
    for start, end in sentences:
        if start < end:
            number = max(number, bisect_right(ends, offsets[start][0]))
        result.append(number)
    return tuple(result)


def _looks_wrapped(text: str) -> bool:
    """Return whether most line breaks inside paragraphs are inside a sentence."""
    rows = [line.strip() for line in text.splitlines()]
    inside = [
        row[-1] not in _SENTENCE_FINAL and (below[0].islower() or len(row) >= _WRAPPED_LINE)
        for row, below in pairwise(rows)
        if row and below
    ]
    return 2 * sum(inside) > len(inside)


def _find_cut(text: str, begin: int, end: int) -> tuple[int, int]:
    """Return where a part ends, at the latest at ``end``, and where the next begins."""
    # Search the second half only, so that slices do not become tiny.
    for pattern in (_SENTENCE_END, _SPACE):
        *_, last = (None, *pattern.finditer(text, begin + (end - begin) // 2, end))
        if last is not None:
            return last.span()
    return end, end


def _slice_text(text: str) -> Iterator[TextSlice]:
    # Every character keeps its offset: line breaks become spaces.
    for begin, end in list(split_text(text)) or [(0, 0)]:
        yield TextSlice(begin=begin, text=text[begin:end].translate(_LINE_BREAKS_TO_SPACES))


def _slice_words(source: Input) -> Iterator[TextSlice]:
    starts = {start for start, end in source.sentences or () if end > start}
    edges = [0, *_slice_edges(source, starts), len(source.offsets or ())]
    for first, last in pairwise(edges):
        yield _word_slice(source, first, last, starts if source.sentences is not None else None)


def _slice_edges(source: Input, starts: set[int]) -> list[int]:
    """Return the words at which slices begin; if sentences are given, only their first words."""
    ends = [end for _, end in split_text(source.text)]
    edges, passed, pending = [], 0, False
    for token, (begin, _) in enumerate(source.offsets or ()):
        while passed < len(ends) and begin >= ends[passed]:
            passed, pending = passed + 1, True
        if pending and token and (source.sentences is None or token in starts):
            edges.append(token)
            pending = False
    return edges


def _word_slice(source: Input, first: int, last: int, starts: set[int] | None) -> TextSlice:
    offsets = (source.offsets or ())[first:last]
    spaces = [end < begin for (_, end), (begin, _) in pairwise(offsets)]
    return TextSlice(
        begin=offsets[0][0] if offsets else 0,
        words=[source.text[begin:end] for begin, end in offsets],
        offsets=offsets,
        spaces=(*spaces, False)[: len(offsets)],
        starts=None if starts is None else [token in starts for token in range(first, last)],
    )
