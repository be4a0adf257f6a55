"""The columnar corpus: documents, tokens, mentions, chains and relations as arrays.

Readers fill the arrays straight from bytes, and scoring never builds an object per mention.
``Document``, ``Mention`` and ``Chain`` are views that are made on demand.

Spans are half-open and relative to their document. Tokens include empty nodes (zeros), in the order
of the file; ``Tokens.empty`` marks them.
"""

import re
from collections.abc import Iterator, Mapping

import numpy as np

from corefbench.corpus.strings import Strings
from corefbench.corpus.views import Document
from corefbench.display import as_html
from corefbench.records import Columns, Flags, Hashes, Ints, Longs

_LABEL_WITH_PART = re.compile(r"(.+)_(0|[1-9]\d{0,8})")


class Documents(Columns, frozen=True, eq=False):
    """Names and parts, and named columns such as ``topic``, ``subtopic``, ``genre``."""

    names: tuple[str, ...]
    parts: Ints
    """The part number, or -1 where the format has no parts."""
    columns: Mapping[str, tuple[str, ...]] = {}
    texts: Strings | None = None
    """The original text of each document, where the source has it."""

    def __len__(self) -> int:
        return len(self.names)

    def labels(self) -> tuple[str, ...]:
        """Return what identifies each document across formats: ``name``, or ``name_part``."""
        return tuple(
            name if part < 0 else f"{name}_{part}" for name, part in zip(self.names, self.parts.tolist(), strict=True)
        )


class Tokens(Columns, frozen=True, eq=False):
    """Where documents and sentences begin and, if they were asked for, the words."""

    offsets: Longs
    """Document *d* has the tokens ``offsets[d]`` to ``offsets[d + 1]``."""
    sentences: Longs
    """The first token of every sentence, counted over the corpus."""
    digests: Hashes | None = None
    """A hash of the words of each document, to notice differing texts without keeping them."""
    words: Strings | None = None
    empty: Flags | None = None
    """Which tokens are empty nodes; None where there are none."""
    begin: Longs | None = None
    """Where each token begins in its document's text, in characters; None without texts …"""
    finish: Longs | None = None
    """… and where it ends."""
    columns: Mapping[str, Strings] = {}
    """Further columns under the names of their format: lemma, upos, head, parse, speaker …"""

    def __len__(self) -> int:
        return int(self.offsets[-1])


class Parts(Columns, frozen=True, eq=False):
    """For each mention, its parts: ``offsets`` into the half-open ``start`` and ``end``."""

    offsets: Longs
    start: Ints
    end: Ints

    def of(self, mention: int) -> list[tuple[int, int]]:
        a, b = int(self.offsets[mention]), int(self.offsets[mention + 1])
        return list(zip(self.start[a:b].tolist(), self.end[a:b].tolist(), strict=True))


class Mentions(Columns, frozen=True, eq=False):
    """Mentions in the order in which they open, document after document."""

    document: Ints
    start: Ints
    end: Ints
    """From the first token to past the last: the hull, where a mention is discontinuous."""
    chain: Ints
    head: Ints | None = None
    """The head token, relative to the document; -1 where unknown."""
    parts: Parts | None = None
    """The contiguous parts of every mention; None where all are contiguous."""
    minimum: Parts | None = None
    """The minimal span (MIN) of every mention, possibly empty; None where the format has none."""
    referring: Flags | None = None
    """False for markables marked as non-referring; None where all refer."""
    columns: Mapping[str, Strings] = {}
    """Further attributes, under the names of their format: etype, infstat, status …"""

    def __len__(self) -> int:
        return len(self.start)


class Chains(Columns, frozen=True, eq=False):
    """Chains, numbered by first appearance. A chain lies in one document; chains of different
    documents that carry one label are one entity, which ``scope`` joins when asked to."""

    document: Ints
    labels: np.ndarray
    """int64 where every label is a number, else bytes (dtype S)."""

    def __len__(self) -> int:
        return len(self.document)

    def label(self, chain: int) -> str:
        value = self.labels[chain]
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


class Relations(Columns, frozen=True, eq=False):
    """Split antecedents and bridging."""

    plural: Ints
    """Chains with split antecedents …"""
    element: Ints
    """… and, in step with them, a chain that is part of the antecedent."""
    bridging_anaphor: Ints
    """The mention that is a bridging anaphor …"""
    bridging_mention: Ints
    """… the mention it is anchored to, -1 where only the chain is known …"""
    bridging_chain: Ints
    """… the chain it is anchored to, -1 where unknown …"""
    bridging_label: tuple[str, ...]
    """… and the kind of relation."""

    @classmethod
    def none(cls) -> "Relations":
        empty = np.zeros(0, np.int32)
        return cls(
            plural=empty,
            element=empty,
            bridging_anaphor=empty,
            bridging_mention=empty,
            bridging_chain=empty,
            bridging_label=(),
        )


class Corpus(Columns, frozen=True, eq=False):
    """Documents with their mentions and chains, as arrays."""

    name: str
    documents: Documents
    tokens: Tokens
    mentions: Mentions
    chains: Chains
    relations: Relations

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, index: int) -> Document:
        return Document(corpus=self, index=range(len(self))[index])

    def __iter__(self) -> Iterator[Document]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return (
            f"<Corpus {self.name!r}: {len(self)} documents, {len(self.tokens)} tokens, "
            f"{len(self.mentions)} mentions, {len(self.chains)} chains>"
        )

    def _repr_html_(self) -> str:
        return as_html(self)

    def token_counts(self) -> Longs:
        return np.diff(self.tokens.offsets)

    def chain_sizes(self) -> Longs:
        return np.bincount(self.mentions.chain, minlength=len(self.chains))


def split_label(label: str) -> tuple[str, int]:
    """Split the label of a document into its name and its part, -1 if it has none.

    >>> split_label("bn/a_0"), split_label("story")
    (('bn/a', 0), ('story', -1))
    """
    match = _LABEL_WITH_PART.fullmatch(label)
    return (match[1], int(match[2])) if match else (label, -1)
