"""Paragraphs, and the blocks of a text in which sentences end only where their words say so."""

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

_NEWLINE = r"(?>\r\n|[\n\r\u2029])"
_BLANK_LINES = re.compile(rf"{_NEWLINE}[^\S\n\r\u2029]*+{_NEWLINE}\s*+")
_LINE = re.compile(r"[^\n\r\u2029]+")
_FINISHED = ".!?…:;\"'”’»)]"
_LONG = 45
"""Characters: a line of at least so many may have been broken to fit."""


def paragraphs_of(
    text: str, offsets: Sequence[tuple[int, int]], sentences: Sequence[tuple[int, int]]
) -> tuple[int, ...]:
    """For every sentence the number of its paragraph; blank lines are between paragraphs.

    >>> paragraphs_of("A.\\n\\nB. C.", [(0, 2), (4, 6), (7, 9)], [(0, 1), (1, 2), (2, 3)])
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


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the blocks, without the white space around them.

    Blank lines end a block, and so does every line break, unless lines were broken to fit.

    >>> text = "Fruit\\n\\n- apples\\n- pears"
    >>> [text[a:b] for a, b in blocks(text)]
    ['Fruit', '- apples', '- pears']
    """
    wrapped = _looks_wrapped(text)
    start = 0
    for end, following in [*(m.span() for m in _BLANK_LINES.finditer(text)), (len(text),) * 2]:
        lines = [(start, end)] if wrapped else [m.span() for m in _LINE.finditer(text, start, end)]
        for a, b in lines:
            part = text[a:b]
            if part.strip():
                yield a + len(part) - len(part.lstrip()), a + len(part.rstrip())
        start = following


def _looks_wrapped(text: str) -> bool:
    """Whether most line breaks inside paragraphs stand in the midst of a sentence."""
    rows = [line.strip() for line in text.splitlines()]
    inside = [
        row[-1] not in _FINISHED and (below[0].islower() or len(row) >= _LONG)
        for row, below in itertools.pairwise(rows)
        if row and below
    ]
    return 2 * sum(inside) > len(inside)
