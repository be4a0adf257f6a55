"""Sentences and tokens of plain text, by one simple rule that needs no other package.

A token is a run of letters and digits, with apostrophes and hyphens inside it and points and
commas between digits (``o'clock``, ``well-known``, ``1,000.5``), a run of points or dashes, or any
other single mark. A sentence ends at a blank line; after ``.``, ``!``, ``?`` (and closing quotes)
before white space and a capital, a digit or an opening quote, unless an initial or a common title
stands before the point; and at a line break, unless the text looks wrapped.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from corefbench.formats.characters import SPACE, Characters
from corefbench.formats.segments import Segments, Span, starts_of
from corefbench.formats.sentences import first_tokens
from corefbench.formats.token_begins import token_begins
from corefbench.formats.tokenised import are_tokenised
from corefbench.record import Flags, Longs

__all__ = [
    "Span", "chunks", "is_tokenised", "segment", "segment_columns", "segment_texts", "spaced",
    "split_at_blanks", "tokenise", "tokens",
]  # fmt: skip


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
    return segment_texts([text], breaks, tokenised=False, lines=lines)


def split_at_blanks(text: str, breaks: Iterable[int] = ()) -> list[list[Span]]:
    """The tokens of a text that is tokenised already: a sentence a line, blanks between tokens.

    >>> split_at_blanks("Do n't !\\nNo .")
    [[(0, 2), (3, 6), (7, 8)], [(9, 11), (12, 13)]]
    """
    return chunks(text, breaks).spans()


def chunks(text: str, breaks: Iterable[int] = ()) -> Segments:
    """What ``split_at_blanks`` finds, as columns."""
    return segment_texts([text], breaks, tokenised=True)


def segment(text: str, breaks: Iterable[int] = ()) -> list[list[Span]]:
    """The tokens that are there, or those that ``tokenise`` finds.

    >>> len(segment("a-b c . d")[0]), len(segment("a, b.")[0])
    (4, 4)
    """
    return segment_columns(text, breaks).spans()


def segment_columns(text: str, breaks: Iterable[int] = ()) -> Segments:
    """What ``segment`` finds, as columns."""
    return segment_texts([text], breaks)


def segment_texts(
    texts: Sequence[str],
    breaks: Iterable[int] | Longs = (),
    *,
    tokenised: bool | None = None,
    lines: bool | None = None,
) -> Segments:
    """What ``segment`` finds in each of several texts, in a fraction of the time: places, those
    of ``breaks`` too, are counted in the texts joined by line ends.

    ``tokenised`` says of all texts whether tokens stand between blanks; left open, they are looked
    at one by one.

    >>> found = segment_texts(["No. Yes .", "He hid. Why?"])
    >>> found.words, found.first.tolist(), found.offsets.tolist()
    (['No.', 'Yes', '.', 'He', 'hid', '.', 'Why', '?'], [0, 3, 6], [0, 3, 8])
    """
    characters = Characters("\n".join(texts))
    starts = starts_of(texts)
    written = ~characters.are(SPACE)
    begins = written.copy()
    begins[1:] &= ~written[:-1]
    there = np.full(len(texts), bool(tokenised))
    if tokenised is None:
        begin, finish = _edges(begins, written)
        there = are_tokenised(characters, begin, finish, starts)
    if not there.all():
        lengths = np.diff(starts, append=len(written) + 1)
        keep = np.repeat(there, lengths)[:-1]
        begins = np.where(keep, begins, token_begins(characters, written))
    edges = np.asarray(breaks if isinstance(breaks, np.ndarray) else list(breaks), np.int64)
    edges = edges[(edges >= 0) & (edges < len(written))]
    begins[edges] = written[edges]
    begin, finish = _edges(begins, written)
    first = first_tokens(characters, begin, finish, starts, there, lines)
    return Segments(characters=characters, begin=begin, finish=finish, first=first, starts=starts)


def is_tokenised(text: str) -> bool:
    """Whether a text has been tokenised: marks stand apart from words, everywhere, or every line
    begins and ends with a blank (as ``spaced`` leaves it, where the marks alone do not tell).

    >>> is_tokenised("Yes , he did ."), is_tokenised("Yes, he did.")
    (True, False)
    """
    found = chunks(text)
    return bool(are_tokenised(found.characters, found.begin, found.finish, found.starts)[0])


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


def _edges(begins: Flags, written: Flags) -> tuple[Longs, Longs]:
    """Where tokens begin and end: at white space and where others begin."""
    ends = written.copy()
    ends[:-1] &= ~written[1:] | begins[1:]
    return np.flatnonzero(begins), np.flatnonzero(ends) + 1
