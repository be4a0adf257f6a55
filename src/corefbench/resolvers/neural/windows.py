"""Documents cut into windows at the ends of sentences."""

from collections.abc import Sequence
from itertools import pairwise

from corefbench.record import Record


class Window(Record, frozen=True):
    """A stretch of words as an encoder takes it."""

    pieces: tuple[int, ...]
    """With what the encoder wants before and after."""
    word: tuple[int, ...]
    """For every piece but these two, its word, counted from the first of the window."""
    words: int


def cut(
    pieces: Sequence[Sequence[int]], sentences: Sequence[int], limit: int, begin: int, finish: int
) -> list[Window]:
    """Windows of whole sentences; a sentence that is longer than a window is cut at words.

    ``sentences`` are the first words of the sentences.

    >>> [window.words for window in cut([[5], [6, 7], [8], [9]], [0, 3], 6, 1, 2)]
    [3, 1]
    """
    room = limit - 2
    made: list[Window] = []
    current: list[int] = []
    filled = 0

    def close() -> None:
        nonlocal filled
        if current:
            made.append(_window([pieces[word] for word in current], begin, finish))
        current.clear()
        filled = 0

    for start, end in pairwise([*sentences, len(pieces)]):
        length = sum(len(pieces[word]) for word in range(start, end))
        if filled + length > room:
            close()
        for word in range(start, end):
            if filled + len(pieces[word]) > room:
                close()
            current.append(word)
            filled += len(pieces[word])
    close()
    return made


def _window(words: Sequence[Sequence[int]], begin: int, finish: int) -> Window:
    flat = [piece for word in words for piece in word]
    owner = [number for number, word in enumerate(words) for _ in word]
    return Window(pieces=(begin, *flat, finish), word=tuple(owner), words=len(words))
