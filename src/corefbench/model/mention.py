"""One mention of a corpus, as a light view."""

from typing import TYPE_CHECKING

from corefbench.record import Columns

if TYPE_CHECKING:
    from corefbench.model.chain import Chain
    from corefbench.model.corpus import Corpus


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
        from corefbench.model.chain import Chain

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
