"""Sentences and tokens of plain text, by one simple rule that needs no other package.

A token is a run of letters and digits, with apostrophes and hyphens inside it and points and
commas between digits (``o'clock``, ``well-known``, ``1,000.5``), a run of points or dashes, or any
other single mark. A sentence ends at a blank line; after ``.``, ``!``, ``?`` (and closing quotes)
before white space and a capital, a digit or an opening quote, unless an initial or a common title
stands before the point; and at a line break, unless the text looks wrapped.
"""

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]

# Vowel signs and other marks belong to words, but Python's \w leaves them out.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u0e31-\u0e3a\u0e47-\u0e4e\u200c\u200d\ufe00-\ufe0f"
)
_WORD = rf"[\w{_MARKS}]+"
_TOKEN = re.compile(rf"{_WORD}(?:(?:['’\-]|(?<=\d)[.,](?=\d)){_WORD})*|\.{{2,}}|-{{2,}}|\S")
_CHUNK = re.compile(r"\S+")
_END = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*(?=\s)")
_NEXT = re.compile(r"\s+[\"'“‘«(\[¿¡—-]*(.)")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_LINE = re.compile(r"\n")
_TITLE = re.compile(r"(?:\b[A-Z]|\b(?:Mr|Mrs|Ms|Dr|Prof|St|Gen|Col|Capt|Lt|Sgt|Rev|Hon|vs|No))$")
_FINISHED = ".!?…:;\"'”’»)]。！？"
_GLUED = re.compile(r"\w[,;:?!](?=\s|$)")
_APART = re.compile(r"(?:^|\s)[.,;:?!](?=\s|$)")


def tokenise(
    text: str, breaks: Iterable[int] = (), *, lines: bool | None = None
) -> list[list[Span]]:
    """The sentences of a text, each the half-open character spans of its tokens.

    ``breaks`` are offsets at which a token must break, such as the edges of annotated spans.
    ``lines`` says whether every line break ends a sentence; left open, it does unless most of the
    lines that others follow end in the middle of a sentence.

    >>> text = "Mr. Poe's cat ran. It hid!"
    >>> [[text[a:b] for a, b in sentence] for sentence in tokenise(text)]
    [['Mr', '.', "Poe's", 'cat', 'ran', '.'], ['It', 'hid', '!']]
    >>> [text[a:b] for a, b in tokenise(text, breaks=[7])[0]][2:4]
    ['Poe', "'s"]
    """
    spans = _broken((match.span() for match in _TOKEN.finditer(text)), breaks)
    return _sentences(spans, sorted(_ends(text, lines)))


def split_at_blanks(text: str, breaks: Iterable[int] = ()) -> list[list[Span]]:
    """The tokens of a text that is tokenised already: a sentence a line, blanks between tokens.

    >>> split_at_blanks("Do n't !\\nNo .")
    [[(0, 2), (3, 6), (7, 8)], [(9, 11), (12, 13)]]
    """
    spans = _broken((match.span() for match in _CHUNK.finditer(text)), breaks)
    return _sentences(spans, [match.end() for match in _LINE.finditer(text)])


def is_tokenised(text: str) -> bool:
    """Whether a text has been tokenised: marks stand apart from words, everywhere, or every line
    begins and ends with a blank (as ``spaced`` leaves it, where the marks alone do not tell).

    >>> is_tokenised("Yes , he did ."), is_tokenised("Yes, he did.")
    (True, False)
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if lines and all(line[0] == line[-1] == " " for line in lines):
        return True
    return _APART.search(text) is not None and _GLUED.search(text) is None


def segment(text: str, breaks: Iterable[int] = ()) -> list[list[Span]]:
    """The tokens that are there, or those that ``tokenise`` finds.

    >>> len(segment("a-b c . d")[0]), len(segment("a, b.")[0])
    (4, 4)
    """
    return (split_at_blanks if is_tokenised(text) else tokenise)(text, breaks)


def spaced(sentences: Iterable[list[str]]) -> str:
    """Words as a text that ``segment`` takes apart again into the same words and sentences.

    >>> spaced([["I", "am", "."], ["No", "!"]]), spaced([["a,b"]])
    ('I am .\\nNo !\\n', ' a,b \\n')
    """
    rows = [[_unspaced(word) for word in row] for row in sentences if row]
    text = "".join(" ".join(row) + "\n" for row in rows)
    if [[text[a:b] for a, b in row] for row in segment(text)] == rows:
        return text
    return "".join(f" {' '.join(row)} \n" for row in rows)


def _unspaced(word: str) -> str:
    """A word may not hold white space, nor be empty, where white space divides words."""
    return "_".join(word.split()) or "_"


def _broken(spans: Iterable[Span], breaks: Iterable[int]) -> list[Span]:
    """The tokens, divided where a break falls inside one of them."""
    at = sorted(set(breaks))
    if not at:
        return list(spans)
    pieces: list[Span] = []
    position, last = 0, len(at)
    for start, end in spans:
        while position < last and at[position] <= start:
            position += 1
        while position < last and at[position] < end:
            pieces.append((start, at[position]))
            start = at[position]
            position += 1
        pieces.append((start, end))
    return pieces


def _ends(text: str, lines: bool | None) -> Iterator[int]:
    """Where sentences end."""
    for match in _END.finditer(text):
        following = _NEXT.match(text, match.end())
        if following is None or following[1].islower():
            continue
        if match[0] != "." or not _TITLE.search(text, max(0, match.start() - 5), match.start()):
            yield match.end()
    yield from (match.end() for match in _BLANK_LINE.finditer(text))
    if lines if lines is not None else not _looks_wrapped(text):
        yield from (match.end() for match in _LINE.finditer(text))


def _looks_wrapped(text: str) -> bool:
    """Whether most of the lines that another line follows end in the middle of a sentence."""
    rows = [line.strip() for line in text.split("\n")]
    ends = [row[-1] in _FINISHED for row, below in itertools.pairwise(rows) if row and below]
    return 2 * sum(ends) < len(ends)


def _sentences(spans: list[Span], ends: list[int]) -> list[list[Span]]:
    """The tokens, divided at the ends of sentences; a sentence without tokens is none."""
    found: list[list[Span]] = []
    limit = -1
    for span in spans:
        if span[0] >= limit:
            found.append([])
            after = bisect_right(ends, span[0])
            limit = ends[after] if after < len(ends) else 1 << 60
        found[-1].append(span)
    return found
