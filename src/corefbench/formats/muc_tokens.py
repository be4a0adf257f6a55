"""Where the tokens of a MUC text stand, whatever is annotated in it."""

import itertools
import re
from bisect import bisect_left

import numpy as np

from corefbench.formats.characters import Characters
from corefbench.formats.tokenise import tokenise

Span = tuple[int, int]

# Annotators put tags at possessives and hyphens. Tokens always break there, so that a key and a
# response have the same tokens, whatever was annotated.
# The mark comes first in the pattern, since it is found faster than what must stand around it.
_ALWAYS = re.compile(r"['’](?<=\w['’])(?=[sS]\b)|-(?<=\w-)(?=\w)")
_REST = re.compile(r"[^ \n]*")


def text_tokens(
    text: str, breaks: list[int], walls: set[int], by_sentence: bool
) -> list[list[Span]]:
    """Tokens by sentence. ``walls`` divide sentences; ``by_sentence``, nothing else does.

    >>> [len(sentence) for sentence in text_tokens("Poe's pro-war cat. It", [], {0}, False)]
    [7, 1]
    """
    marks = [match.start() for match in _ALWAYS.finditer(text)]
    breaks = sorted({*breaks, *marks, *(mark + 1 for mark in marks if text[mark] == "-")})
    found: list[list[Span]] = []
    for begin, end in itertools.pairwise(sorted({0, len(text), *walls})):
        inside = breaks[bisect_left(breaks, begin) : bisect_left(breaks, end)]
        some = tokenise(text[begin:end], [edge - begin for edge in inside], lines=False)
        if by_sentence and some:
            some = [[span for sentence in some for span in sentence]]
        if begin:
            some = [[(a + begin, b + begin) for a, b in sentence] for sentence in some]
        found.extend(some)
    return found


def blank_words(text: str, breaks: list[int]) -> tuple[list[list[str]], dict[int, int]]:
    """The words between blanks and breaks, a sentence a line; how many stand before each break.

    >>> blank_words("a bc\\nd\\n", [0, 3])
    ([['a', 'b', 'c'], ['d']], {0: 0, 3: 2})
    """
    edges = np.array(breaks, np.int64)
    code = Characters(text).ascii
    line = code == ord("\n")
    written = ~(line | (code == ord(" ")))
    begins = written.copy()
    begins[1:] &= ~written[:-1]
    inner = edges[edges < len(text)]
    cuts = inner[written[inner] & ~begins[inner]]
    begins[cuts] = True
    begin = np.flatnonzero(begins)
    if len(cuts):
        places = itertools.pairwise([0, *cuts.tolist(), len(text)])
        text = " ".join([text[a:b] for a, b in places])
    # This takes less time than to take the words out one by one.
    words = list(filter(None, text.replace("\n", " ").split(" ")))
    lines = np.searchsorted(begin, np.flatnonzero(line)).tolist()
    rows = itertools.pairwise([0, *lines, len(words)])
    before = dict(zip(breaks, np.searchsorted(begin, edges).tolist(), strict=True))
    return [words[a:b] for a, b in rows if a < b], before


def word_end(text: str, offset: int, breaks: list[int]) -> int:
    """The offset, or, where it falls inside a word, the end of that word."""
    if not offset or text[offset - 1] in " \n":
        return offset
    match = _REST.match(text, offset)
    end = match.end() if match else offset
    following = bisect_left(breaks, offset)
    return min(end, breaks[following]) if following < len(breaks) else end
