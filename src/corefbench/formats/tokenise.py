"""Sentences and tokens of plain text, by one simple rule that needs no other package.

A token is a run of letters and digits, with apostrophes and hyphens inside it and points and
commas between digits (``o'clock``, ``well-known``, ``1,000.5``), a run of points or dashes, or any
other single mark. A sentence ends at a blank line; after ``.``, ``!``, ``?`` (and closing quotes)
before white space and a capital, a digit or an opening quote, unless an initial or a common title
stands before the point; and at a line break, unless the text looks wrapped.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np

from corefbench.formats.segments import Segments, Span, segments

__all__ = [
    "Span", "chunks", "is_tokenised", "segment", "segment_columns", "spaced", "split_at_blanks",
    "tokenise", "tokens",
]  # fmt: skip

# Vowel signs and other marks belong to words, but Python's \w leaves them out.
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
# The marks come first, and what must stand before them is looked for behind: this is searched fast.
_GLUED = re.compile(r"[,;:?!](?<=\w[,;:?!])(?=\s|$)")
_GLUED_POINT = re.compile(r"\w\.\Z")
_APART = re.compile(r"[.,;:?!](?<!\S[.,;:?!])(?=\s|$)")
_LONG = 64
"""Longer chunks between blanks are not to be remembered."""


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
    return tokens(text, breaks, lines=lines).spans()


def tokens(text: str, breaks: Iterable[int] = (), *, lines: bool | None = None) -> Segments:
    """What ``tokenise`` finds, as columns."""
    ends = np.array(sorted(_ends(text, lines)), np.int64)
    return segments(text, _words(text), breaks, ends)


def split_at_blanks(text: str, breaks: Iterable[int] = ()) -> list[list[Span]]:
    """The tokens of a text that is tokenised already: a sentence a line, blanks between tokens.

    >>> split_at_blanks("Do n't !\\nNo .")
    [[(0, 2), (3, 6), (7, 8)], [(9, 11), (12, 13)]]
    """
    return chunks(text, breaks).spans()


def chunks(text: str, breaks: Iterable[int] = ()) -> Segments:
    """What ``split_at_blanks`` finds, as columns."""
    ends = np.array([match.end() for match in _LINE.finditer(text)], np.int64)
    return segments(text, text.split(), breaks, ends)


def is_tokenised(text: str) -> bool:
    """Whether a text has been tokenised: marks stand apart from words, everywhere, or every line
    begins and ends with a blank (as ``spaced`` leaves it, where the marks alone do not tell).

    >>> is_tokenised("Yes , he did ."), is_tokenised("Yes, he did.")
    (True, False)
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if lines and all(line[0] == line[-1] == " " for line in lines):
        return True
    if _APART.search(text) is None or _GLUED.search(text) is not None:
        return False
    return _GLUED_POINT.search(text.rstrip()[-2:]) is None


def segment(text: str, breaks: Iterable[int] = ()) -> list[list[Span]]:
    """The tokens that are there, or those that ``tokenise`` finds.

    >>> len(segment("a-b c . d")[0]), len(segment("a, b.")[0])
    (4, 4)
    """
    return segment_columns(text, breaks).spans()


def segment_columns(text: str, breaks: Iterable[int] = ()) -> Segments:
    """What ``segment`` finds, as columns."""
    return (chunks if is_tokenised(text) else tokens)(text, breaks)


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


def _words(text: str) -> list[str]:
    """The tokens of a text: no token holds white space, and most chunks between it come again."""
    chunks = text.split()
    if max(map(len, chunks), default=0) > _LONG:
        return _TOKEN.findall(text)
    return list(itertools.chain.from_iterable(map(_taken_apart, chunks)))


@lru_cache(maxsize=1 << 15)
def _taken_apart(chunk: str) -> tuple[str, ...]:
    return (chunk,) if chunk.isalpha() else tuple(_TOKEN.findall(chunk))


def _unspaced(word: str) -> str:
    """A word may not hold white space, nor be empty, where white space divides words."""
    return "_".join(word.split()) or "_"


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
