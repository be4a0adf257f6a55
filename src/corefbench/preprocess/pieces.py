"""The pieces of an input that a pipeline parses one by one: slices of text, or of given words."""

from collections.abc import Iterator
from itertools import pairwise

from corefbench.preprocess.base import Input
from corefbench.preprocess.slices import slices
from corefbench.record import Record


class Piece(Record, frozen=True):
    """A stretch of text, or words with their places."""

    begin: int = 0
    text: str = ""
    words: list[str] | None = None
    offsets: tuple[tuple[int, int], ...] = ()
    spaces: tuple[bool, ...] = ()
    """Which words a space follows."""
    starts: list[bool] | None = None
    """Which words begin a sentence, where sentences are given."""

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.offsets[-1][1] if self.offsets else self.begin + len(self.text)


def pieces(given: Input) -> Iterator[Piece]:
    """The pieces in text order; at least one, which may be empty."""
    return _of_text(given.text) if given.offsets is None else _of_words(given)


def _of_text(text: str) -> Iterator[Piece]:
    found = False
    for begin, end in slices(text):
        found = True
        yield Piece(begin=begin, text=text[begin:end].translate(_BLANKS))
    if not found:
        yield Piece()


_BLANKS = str.maketrans("\n\r\t\x0b\x0c\u2029", "      ")
"""Line breaks as blanks, so that every character keeps its place."""


def _of_words(given: Input) -> Iterator[Piece]:
    starts = {start for start, end in given.sentences or () if end > start}
    edges = [0, *_edges(given, starts), len(given.offsets or ())]
    for first, last in pairwise(edges):
        yield _words(given, first, last, starts if given.sentences is not None else None)


def _edges(given: Input, starts: set[int]) -> list[int]:
    """The words before which a slice of the text ends; if sentences are given, only first ones."""
    ends = [end for _, end in slices(given.text)]
    found, place, waiting = [], 0, False
    for token, (begin, _) in enumerate(given.offsets or ()):
        while place < len(ends) and begin >= ends[place]:
            place, waiting = place + 1, True
        if waiting and token and (given.sentences is None or token in starts):
            found.append(token)
            waiting = False
    return found


def _words(given: Input, first: int, last: int, starts: set[int] | None) -> Piece:
    offsets = (given.offsets or ())[first:last]
    spaces = [end < begin for (_, end), (begin, _) in pairwise(offsets)]
    return Piece(
        begin=offsets[0][0] if offsets else 0,
        words=[given.text[begin:end] for begin, end in offsets],
        offsets=offsets,
        spaces=(*spaces, False)[: len(offsets)],
        starts=None if starts is None else [token in starts for token in range(first, last)],
    )
