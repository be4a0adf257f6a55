"""A text in slices that are parsed one by one: its blocks, and parts of very long ones.

Memory then depends on the slice, not on the text. A long block is cut between sentences as far as
full stops tell.
"""

import re
from collections.abc import Iterator

from corefbench.preprocess.paragraphs import blocks

LONGEST_SLICE = 6_000
"""Characters; about a thousand words."""
LONGEST_WORD = 300
"""Characters; what is longer is cut, for tokenisers need quadratic time in the length of a word."""

_SENTENCE_END = re.compile(r"(?<=[a-z]{2}[a-z)][.!?])\s+(?=[A-Z\"'“‘(\[])")
_SPACE = re.compile(r"\s+")
_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")


def slices(text: str, longest: int = LONGEST_SLICE) -> Iterator[tuple[int, int]]:
    """The blocks; a long one in parts that end with a sentence, a word or, at worst, anywhere.

    >>> list(slices("It was late. We went home. Nobody spoke.", longest=30))
    [(0, 26), (27, 40)]
    """
    for begin, end in blocks(text):
        while end - begin > longest:
            cut, after = _cut(text, begin, begin + longest)
            yield begin, cut
            begin = after
        if begin < end:
            yield begin, end


def _cut(text: str, begin: int, end: int) -> tuple[int, int]:
    """Where a part ends, at the latest at ``end``, and where the next begins."""
    for pattern in (_SENTENCE_END, _SPACE):
        *_, last = (None, *pattern.finditer(text, begin + (end - begin) // 2, end))
        if last is not None:
            return last.span()
    return end, end


def pieces(text: str) -> list[str]:
    """A slice as a tokeniser can take it: cut inside words of absurd length.

    >>> [len(piece) for piece in pieces("a " + "b" * 700)]
    [302, 300, 100]
    """
    found, begin = [], 0
    for word in _LONG_WORD.finditer(text):
        for cut in range(word.start() + LONGEST_WORD, word.end(), LONGEST_WORD):
            found.append(text[begin:cut])
            begin = cut
    return [*found, text[begin:]]
