"""The account of a conversion: what was read, what was written, what could not be kept."""

from collections import Counter

from corefbench.formats.base import Feature
from corefbench.model.corpus import Corpus
from corefbench.record import Record


class Size(Record, frozen=True):
    """How much there is in a corpus."""

    documents: int = 0
    tokens: int = 0
    mentions: int = 0
    chains: int = 0

    @classmethod
    def of(cls, corpus: Corpus) -> "Size":
        return cls(
            documents=len(corpus),
            tokens=len(corpus.tokens),
            mentions=len(corpus.mentions),
            chains=int((corpus.chain_sizes() > 0).sum()),
        )

    def __add__(self, other: "Size") -> "Size":
        return Size(
            documents=self.documents + other.documents,
            tokens=self.tokens + other.tokens,
            mentions=self.mentions + other.mentions,
            chains=self.chains + other.chains,
        )


class Account(Record, frozen=True):
    """What a conversion did."""

    output_format: str
    files: tuple[str, ...]
    """What was written, relative to the output where that is a folder."""
    read: Size
    written: Size
    lost: dict[Feature, int]
    """What the corpus has and the format cannot hold, and how often."""

    @property
    def is_lossless(self) -> bool:
        """Whether the output says all that the input says."""
        return not self.lost and self.read == self.written

    def lines(self) -> list[str]:
        """The loss in words.

        >>> size = Size(documents=1, tokens=9, mentions=3, chains=2)
        >>> Account(
        ...     output_format="conll", files=(), read=size, written=size, lost={"heads": 3}
        ... ).lines()
        ['conll cannot hold heads: 3']
        """
        lines = [
            f"{self.output_format} cannot hold {feature}: {count:,}"
            for feature, count in self.lost.items()
        ]
        for name in Size.__struct_fields__:
            before, after = getattr(self.read, name), getattr(self.written, name)
            if before != after:
                lines.append(f"{name}: {before:,} read, {after:,} written")
        return lines


class Ledger:
    """An account in the making."""

    def __init__(self) -> None:
        self.read = Size()
        self.written = Size()
        self.lost: Counter[Feature] = Counter()

    def enter(self, read: Corpus, lost: dict[Feature, int], written: Corpus) -> None:
        """Add a piece of the corpus, as it was and as it is written."""
        self.read += Size.of(read)
        self.written += Size.of(written)
        self.lost.update(lost)

    def merge(self, later: "Ledger") -> None:
        """Add what another has entered."""
        self.read += later.read
        self.written += later.written
        self.lost.update(later.lost)
