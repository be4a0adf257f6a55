"""One document of a corpus, as a light view for people and resolvers."""

import itertools
from typing import TYPE_CHECKING

import numpy as np

from corefbench.display import as_html
from corefbench.model.chain import Chain
from corefbench.model.mention import Mention
from corefbench.model.places import places
from corefbench.record import Columns

if TYPE_CHECKING:
    from corefbench.model.corpus import Corpus


class Document(Columns, frozen=True, eq=False):
    """A view: nothing is copied until it is asked for."""

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
        """The number of tokens."""
        return self._last - self._first

    def _repr_html_(self) -> str:
        return as_html(self)

    @property
    def words(self) -> list[str]:
        """The tokens; empty where the corpus was read without its words."""
        words = self.corpus.tokens.words
        return words.slice(self._first, self._last) if words is not None else []

    @property
    def text(self) -> str | None:
        """The original text; None where the source has only tokens."""
        texts = self.corpus.documents.texts
        return texts[self.index] if texts is not None else None

    @property
    def offsets(self) -> list[tuple[int, int]] | None:
        """Where each token stands in the text; None without a text."""
        begin, finish = self.corpus.tokens.begin, self.corpus.tokens.finish
        if begin is None or finish is None:
            return None
        some = slice(self._first, self._last)
        return list(zip(begin[some].tolist(), finish[some].tolist(), strict=True))

    @property
    def sentences(self) -> list[tuple[int, int]]:
        """The half-open token spans of the sentences."""
        starts = self.corpus.tokens.sentences
        a, b = places(starts, self._first, self._last)
        edges = [*(starts[a:b] - self._first).tolist(), len(self)]
        return list(itertools.pairwise(edges))

    @property
    def _mention_range(self) -> tuple[int, int]:
        """The document's mentions are neighbours: from which number to which."""
        first, last = places(self.corpus.mentions.document, self.index, self.index + 1)
        return first, last

    @property
    def mentions(self) -> list[Mention]:
        return [Mention(corpus=self.corpus, index=i) for i in range(*self._mention_range)]

    @property
    def chains(self) -> list[Chain]:
        first, last = places(self.corpus.chains.document, self.index, self.index + 1)
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
        """The chains as lists of half-open spans, the form that trainers use."""
        return [[(m.start, m.end) for m in chain.mentions] for chain in self.chains]
