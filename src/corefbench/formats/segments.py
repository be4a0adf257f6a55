"""The tokens and sentences of a text as columns, for readers of much text."""

import itertools
from collections.abc import Iterable
from typing import TypeAlias

import numpy as np

from corefbench.model.builder import CorpusBuilder
from corefbench.record import Columns, Flags, Longs

Span: TypeAlias = tuple[int, int]

_SPACE = np.array([chr(code).isspace() for code in range(0x3001)])


class Segments(Columns, frozen=True, eq=False):
    """Words, where each begins and ends in the text, and the first word of every sentence."""

    words: list[str]
    begin: Longs
    finish: Longs
    first: Longs

    def spans(self) -> list[list[Span]]:
        """The same as a list of sentences, each a list of character spans."""
        spans = list(zip(self.begin.tolist(), self.finish.tolist(), strict=True))
        edges = [*self.first.tolist(), len(spans)]
        return [spans[a:b] for a, b in itertools.pairwise(edges)]

    def add_to(self, build: CorpusBuilder) -> None:
        """Append the sentences to the open document."""
        build.sentences(self.words, self.first, offsets=(self.begin, self.finish))


def segments(text: str, words: list[str], breaks: Iterable[int], ends: Longs) -> Segments:
    """Divide the words of a text, which leave out nothing but its white space, into sentences.

    ``breaks`` are offsets at which a word must break, ``ends``, sorted, where sentences end.

    >>> found = segments("I ran. No!", ["I", "ran", ".", "No", "!"], [3], np.array([6]))
    >>> found.words, found.first.tolist()
    (['I', 'r', 'an', '.', 'No', '!'], [0, 4])
    """
    begin, finish = _places(text, words)
    edges = np.unique(np.fromiter(breaks, np.int64))
    edges = edges[np.searchsorted(edges, begin[0]) :] if words else edges[:0]
    token = np.searchsorted(begin, edges, "right") - 1
    inside = (begin[token] < edges) & (edges < finish[token])
    if inside.any():
        words = _cut(text, words, begin, finish, token[inside], edges[inside])
        begin = np.sort(np.concatenate((begin, edges[inside])))
        finish = np.sort(np.concatenate((finish, edges[inside])))
    # A word begins a sentence where more sentences have ended than before the word before.
    ended = np.searchsorted(ends, begin, "right")
    first = np.flatnonzero(np.diff(ended, prepend=-1))
    return Segments(words=words, begin=begin, finish=finish, first=first)


def _places(text: str, words: list[str]) -> tuple[Longs, Longs]:
    """Where the words stand: the white space between them is all that they leave out."""
    written = np.flatnonzero(~_spaces(text))
    after = np.cumsum(np.fromiter(map(len, words), np.int64, len(words)))
    begin = written[np.concatenate((np.zeros(1, np.int64), after[:-1]))[: len(words)]]
    return begin, written[after - 1] + 1


def _spaces(text: str) -> Flags:
    if text.isascii():
        return _SPACE[np.frombuffer(text.encode(), np.uint8)]
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return _SPACE[np.where(codes > 0x3000, 0, codes)]


def _cut(
    text: str, words: list[str], begin: Longs, finish: Longs, token: Longs, edges: Longs
) -> list[str]:
    """The words, those at ``token`` cut at ``edges``; which are few."""
    cuts: dict[int, list[int]] = {}
    for index, edge in zip(token.tolist(), edges.tolist(), strict=True):
        cuts.setdefault(index, []).append(edge)
    found: list[str] = []
    done = 0
    for index, inner in cuts.items():
        found += words[done:index]
        places = [int(begin[index]), *inner, int(finish[index])]
        found += [text[a:b] for a, b in itertools.pairwise(places)]
        done = index + 1
    return found + words[done:]
