"""Document, Mention and Chain: lightweight views of a corpus."""

import itertools
from typing import TYPE_CHECKING

import numpy as np

from corefbench.corpus.arrays import search_sorted
from corefbench.display import as_html
from corefbench.records import Columns, Longs

if TYPE_CHECKING:
    from corefbench.corpus.corpus import Corpus


class Mention(Columns, frozen=True, eq=False):
    """A span of tokens, half-open and relative to its document, that belongs to a chain."""

    corpus: "Corpus"
    index: int

    @property
    def start(self) -> int:
        return int(self.corpus.mentions.start[self.index])

    @property
    def end(self) -> int:
        return int(self.corpus.mentions.end[self.index])

    @property
    def parts(self) -> list[tuple[int, int]]:
        """The contiguous parts: one, unless the mention is discontinuous."""
        parts = self.corpus.mentions.parts
        return parts.of(self.index) if parts is not None else [(self.start, self.end)]

    @property
    def head(self) -> int | None:
        heads = self.corpus.mentions.head
        return None if heads is None or heads[self.index] < 0 else int(heads[self.index])

    @property
    def chain(self) -> "Chain":
        return Chain(corpus=self.corpus, index=int(self.corpus.mentions.chain[self.index]))

    @property
    def text(self) -> str:
        """The words of the mention, parts joined by an ellipsis."""
        words = self.corpus.tokens.words
        if words is None:
            return ""
        first = int(self.corpus.tokens.offsets[self.corpus.mentions.document[self.index]])
        return " … ".join(" ".join(words.slice(first + a, first + b)) for a, b in self.parts)

    def __repr__(self) -> str:
        return f"<Mention {self.start}:{self.end} of chain {self.chain.label}>"


class Chain(Columns, frozen=True, eq=False):
    """The mentions of one entity in one document."""

    corpus: "Corpus"
    index: int
    members: Longs | None = None
    """The numbers of its mentions, if they were known when the view was made."""

    @property
    def label(self) -> str:
        return self.corpus.chains.label(self.index)

    @property
    def _members(self) -> Longs:
        """The numbers of its mentions, searched for in its document only."""
        if self.members is not None:
            return self.members
        document, mentions = int(self.corpus.chains.document[self.index]), self.corpus.mentions
        first, last = search_sorted(mentions.document, document, document + 1)
        return np.asarray(np.flatnonzero(mentions.chain[first:last] == self.index) + first)

    @property
    def mentions(self) -> list[Mention]:
        return [Mention(corpus=self.corpus, index=i) for i in self._members.tolist()]

    def __len__(self) -> int:
        return len(self._members)

    @property
    def is_singleton(self) -> bool:
        return len(self) == 1

    def __repr__(self) -> str:
        return f"<Chain {self.label}: {len(self)} mentions>"


class Document(Columns, frozen=True, eq=False):
    """A document: a view that copies nothing until it is asked for."""

    corpus: "Corpus"
    index: int

    @property
    def name(self) -> str:
        return self.corpus.documents.names[self.index]

    @property
    def label(self) -> str:
        part = int(self.corpus.documents.parts[self.index])
        return self.name if part < 0 else f"{self.name}_{part}"

    @property
    def _first(self) -> int:
        return int(self.corpus.tokens.offsets[self.index])

    @property
    def _last(self) -> int:
        return int(self.corpus.tokens.offsets[self.index + 1])

    def __len__(self) -> int:
        """Return the number of tokens."""
        return self._last - self._first

    def _repr_html_(self) -> str:
        return as_html(self)

    @property
    def words(self) -> list[str]:
        """The tokens; empty if the corpus was read without its words."""
        words = self.corpus.tokens.words
        return words.slice(self._first, self._last) if words is not None else []

    @property
    def text(self) -> str | None:
        """The original text; None if the source has only tokens."""
        texts = self.corpus.documents.texts
        return texts[self.index] if texts is not None else None

    @property
    def offsets(self) -> list[tuple[int, int]] | None:
        """The character span of each token in the text; None without a text."""
        begin, finish = self.corpus.tokens.begin, self.corpus.tokens.finish
        if begin is None or finish is None:
            return None
        tokens = slice(self._first, self._last)
        return list(zip(begin[tokens].tolist(), finish[tokens].tolist(), strict=True))

    @property
    def sentences(self) -> list[tuple[int, int]]:
        """The half-open token spans of the sentences."""
        starts = self.corpus.tokens.sentences
        a, b = search_sorted(starts, self._first, self._last)
        edges = [*(starts[a:b] - self._first).tolist(), len(self)]
        return list(itertools.pairwise(edges))

    @property
    def _mention_range(self) -> tuple[int, int]:
        """The first mention of the document, and the first after it: they are contiguous."""
        first, last = search_sorted(self.corpus.mentions.document, self.index, self.index + 1)
        return first, last

    @property
    def mentions(self) -> list[Mention]:
        return [Mention(corpus=self.corpus, index=i) for i in range(*self._mention_range)]

    @property
    def chains(self) -> list[Chain]:
        first, last = search_sorted(self.corpus.chains.document, self.index, self.index + 1)
        begin, end = self._mention_range
        chain = self.corpus.mentions.chain[begin:end]
        order = np.argsort(chain, kind="stable")
        edges = np.searchsorted(chain[order], np.arange(first, last + 1)).tolist()
        members = order + begin
        return [
            Chain(corpus=self.corpus, index=index, members=members[a:b])
            for index, (a, b) in enumerate(itertools.pairwise(edges), first)
        ]

    def clusters(self) -> list[list[tuple[int, int]]]:
        """Return the chains as lists of half-open spans, as trainers use them."""
        return [[(m.start, m.end) for m in chain.mentions] for chain in self.chains]
