"""The texts that inputs are made of, and the pairs of chains put over them."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""Half-open token offsets in the document."""
Chains: TypeAlias = list[list[Span]]


@dataclass(frozen=True, eq=False)
class Text:
    """Words in sentences, with the columns that an OntoNotes file shows beside them.

    Compared by identity, so that what was rendered for a text can be kept for its copies.
    """

    name: str
    words: list[str]
    tags: list[str]
    lemmas: list[str]
    speakers: list[str]
    sentences: list[int]
    """The first token of each sentence, then the number of tokens."""

    def sentence_of(self, token: int) -> Span:
        """The sentence that holds a token."""
        at = bisect_right(self.sentences, token) - 1
        return self.sentences[at], self.sentences[at + 1]

    def holds(self, span: Span) -> bool:
        """Whether a span is not empty and stays inside one sentence."""
        if not 0 <= span[0] < span[1] <= len(self.words):
            return False
        return span[1] <= self.sentence_of(span[0])[1]

    def cut(self, start: int, end: int) -> "Text":
        """The part between two sentence boundaries."""
        inside = [s - start for s in self.sentences if start <= s <= end]
        return Text(
            self.name,
            self.words[start:end],
            self.tags[start:end],
            self.lemmas[start:end],
            self.speakers[start:end],
            inside,
        )


@dataclass(frozen=True)
class Pair:
    """One document as key and response."""

    name: str
    part: int
    text: Text
    key: Chains
    response: Chains


def within(chains: Chains, start: int, end: int, *, smallest: int = 1) -> Chains:
    """The chains of a part: their spans inside it, renumbered; chains that become too small go."""
    moved = ([(s - start, e - start) for s, e in c if start <= s and e <= end] for c in chains)
    return [chain for chain in moved if len(chain) >= smallest]


def without_crossing(spans: Iterable[Span]) -> list[Span]:
    """The spans without those that cross an earlier one.

    Two crossing mentions of one chain cannot be written in CoNLL: the brackets would read back as
    two nested ones.

    >>> without_crossing([(0, 3), (2, 5), (2, 3), (4, 6)])
    [(0, 3), (2, 3), (4, 6)]
    """
    kept: list[Span] = []
    opened: list[int] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        while opened and opened[-1] <= start:
            opened.pop()
        if not opened or end <= opened[-1]:
            opened.append(end)
            kept.append((start, end))
    return kept


def writable(chains: Iterable[list[Span]]) -> Chains:
    """Chains that CoNLL can write: no crossing inside a chain, none empty."""
    return [kept for chain in chains if (kept := without_crossing(chain))]
