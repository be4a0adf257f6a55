"""The tokens and sentences of a text as columns, for readers of much text."""

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np

from corefbench.formats.characters import Characters
from corefbench.model.builder import CorpusBuilder
from corefbench.model.strings import Strings
from corefbench.record import Columns, Longs

Span: TypeAlias = tuple[int, int]


def starts_of(texts: Sequence[str]) -> Longs:
    """Where texts begin that are joined by line ends.

    >>> starts_of(["No.", "", "Yes"]).tolist()
    [0, 4, 5]
    """
    lengths = np.fromiter(map(len, texts), np.int64, len(texts)) + 1
    return np.cumsum(lengths) - lengths


class Segments(Columns, frozen=True, eq=False, dict=True):
    """The tokens of one text or of several, joined by line ends: where each begins and ends. They
    leave out nothing but white space.

    >>> text, begin, finish = Characters("I am. No"), np.array([0, 2, 4, 6]), np.array([1, 4, 5, 8])
    >>> first, starts = np.array([0, 3]), np.array([0])
    >>> found = Segments(characters=text, begin=begin, finish=finish, first=first, starts=starts)
    >>> found.words, list(found.strings), found.spans()
    (['I', 'am', '.', 'No'], ['I', 'am', '.', 'No'], [[(0, 1), (2, 4), (4, 5)], [(6, 8)]])
    """

    characters: Characters
    begin: Longs
    finish: Longs
    first: Longs
    """The first token of every sentence."""
    starts: Longs
    """Where every text begins."""

    @cached_property
    def offsets(self) -> Longs:
        """Text *t* has the tokens ``offsets[t]`` to ``offsets[t + 1]``."""
        return np.append(np.searchsorted(self.begin, self.starts), len(self.begin))

    @cached_property
    def words(self) -> list[str]:
        """The tokens."""
        text = self.characters.text
        edges = zip(self.begin.tolist(), self.finish.tolist(), strict=True)
        return [text[a:b] for a, b in edges]

    @cached_property
    def strings(self) -> Strings:
        """The tokens as a column."""
        characters, length = self.characters, self.finish - self.begin
        if len(characters.beyond):
            token = np.searchsorted(self.begin, characters.beyond, "right") - 1
            np.add.at(length, token, characters.extra)
        offsets = np.zeros(len(length) + 1, np.int64)
        np.cumsum(length, out=offsets[1:])
        return Strings(blob=characters.without_blanks(), offsets=offsets)

    def spans(self) -> list[list[Span]]:
        """The same as a list of sentences, each a list of character spans."""
        spans = list(zip(self.begin.tolist(), self.finish.tolist(), strict=True))
        edges = [*self.first.tolist(), len(spans)]
        return [spans[a:b] for a, b in itertools.pairwise(edges)]

    def add_to(self, build: CorpusBuilder) -> None:
        """Append the sentences to the open document."""
        build.sentences(self.strings, self.first, offsets=(self.begin, self.finish))
