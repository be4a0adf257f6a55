"""Where the tokens of a MUC text stand, whatever is annotated in it."""

import itertools
import re
from bisect import bisect_left

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
    found: list[list[str]] = []
    before: dict[int, int] = {}
    count = position = 0
    sentence: list[str] = []
    for edge in (*breaks, len(text)):
        first, *lines = text[position:edge].split("\n")
        sentence.extend(filter(None, first.split(" ")))
        for line in lines:
            if sentence:
                found.append(sentence)
                count += len(sentence)
            sentence = list(filter(None, line.split(" ")))
        before[edge] = count + len(sentence)
        position = edge
    return ([*found, sentence] if sentence else found), {edge: before[edge] for edge in breaks}


def word_end(text: str, offset: int, breaks: list[int]) -> int:
    """The offset, or, where it falls inside a word, the end of that word."""
    if not offset or text[offset - 1] in " \n":
        return offset
    match = _REST.match(text, offset)
    end = match.end() if match else offset
    following = bisect_left(breaks, offset)
    return min(end, breaks[following]) if following < len(breaks) else end
