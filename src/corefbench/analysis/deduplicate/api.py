"""What users call: ``deduplicate``."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

import numpy as np

from corefbench.analysis.deduplicate.bags import BAGS, Bag, Bags, bags_of
from corefbench.analysis.deduplicate.between import between as between_corpora
from corefbench.analysis.deduplicate.within import Match, within
from corefbench.errors import UsageError
from corefbench.findings import Strictness
from corefbench.formats import Reading
from corefbench.formats.load import stream
from corefbench.formats.sharing import Sharing
from corefbench.model.assemble import concatenate, take_documents
from corefbench.model.corpus import Corpus
from corefbench.record import Columns, Flags, Longs, Record

Where: TypeAlias = str | Path | bytes | Corpus


class Duplicate(Record, frozen=True):
    """A document that was dropped, and why."""

    document: str
    duplicate_of: str
    ratio: float
    """|S₁∩S₂| ÷ the smaller of |S₁| and |S₂|."""
    shared: int
    words: int
    other_words: int
    index: int
    """The number of the document in its corpus …"""
    other_index: int
    """… and of the other one in its."""


class Deduplication(Columns, frozen=True, eq=False):
    """The corpus without its duplicates, and what was dropped."""

    name: str
    pieces: tuple[Corpus, ...]
    """The documents that are kept, as they were read, block by block."""
    dropped: tuple[Duplicate, ...]
    """In the order of the corpus."""
    documents: int
    """How many there were."""
    threshold: float
    bag: Bag
    between: str = ""
    """The name of the other corpus, where the duplicates are its documents."""

    @property
    def corpus(self) -> Corpus:
        """The documents that are kept, as one corpus."""
        return concatenate(self.name, self.pieces)


def deduplicate(
    corpus: Where,
    *,
    between: Where | None = None,
    threshold: float | str | Fraction = 0.9,
    bag: Bag = "multiset",
    ignore_case: bool = False,
    format: str | None = None,
    strictness: Strictness = Strictness(),
    begin: Callable[[int], None] | None = None,
    advance: Callable[[int], None] | None = None,
    engine: str = "",
    jobs: int = 1,
) -> Deduplication:
    """Drop documents that nearly repeat another one, and keep the longer (Chen et al. 2018)::

        max(|S₁∩S₂| ÷ |S₁|, |S₁∩S₂| ÷ |S₂|) > threshold

    S₁ and S₂ are the multisets of the documents' words. Each document is compared with those that
    are kept, so that whatever is dropped stands, but for a tenth, in one that is not. With
    ``between``, documents that duplicate one of another corpus are dropped instead, whichever is
    longer. A document without words duplicates none. Exact: no pair is missed.

    ``begin`` is told how many documents there are, ``advance`` of each that is done. ``jobs``
    workers of an ``engine`` share the reading of large corpora.

    >>> def text(name, words):
    ...     rows = "".join(f"{name} 0 {n} {word} -\\n" for n, word in enumerate(words))
    ...     return f"#begin document ({name}); part 000\\n{rows}\\n#end document\\n"
    >>> both = (text("a", "to be or not to be".split()) + text("b", "to be or".split())).encode()
    >>> [(d.document, d.duplicate_of, d.ratio) for d in deduplicate(both).dropped]
    [('b_0', 'a_0', 1.0)]
    """
    limit = _fraction(threshold)
    if bag not in BAGS:
        raise UsageError(f"there is no bag {bag!r}", expected=", ".join(BAGS))
    sharing = Sharing(format=format, engine=engine, jobs=jobs)
    whole = _Pieces.of(corpus, sharing, strictness)
    if begin is not None:
        begin(len(whole.labels))
    if between is None:
        other = whole
        bags = other_bags = bags_of([whole.pieces], bag=bag, ignore_case=ignore_case)[0]
        matches = list(within(bags, limit, advance))
    else:
        other = _Pieces.of(between, sharing, strictness)
        both = [whole.pieces, other.pieces]
        bags, other_bags = bags_of(both, bag=bag, ignore_case=ignore_case)
        matches = list(between_corpora(bags, other_bags, limit, advance))
    return Deduplication(
        name=whole.name,
        pieces=whole.without([match.document for match in matches]),
        dropped=_reasons(matches, whole.labels, other.labels, bags, other_bags),
        documents=len(whole.labels),
        threshold=float(limit),
        bag=bag,
        between="" if between is None else other.name,
    )


class _Pieces(Columns, frozen=True, eq=False):
    """A corpus as it was read, block by block: documents are left out of small pieces, since a
    large corpus that is cut as a whole takes several times its memory."""

    name: str
    pieces: tuple[Corpus, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, where: Where, sharing: Sharing, strictness: Strictness) -> "_Pieces":
        if isinstance(where, Corpus):
            pieces: tuple[Corpus, ...] = (where,)
        else:
            reading = Reading(strictness=strictness)
            read = sharing.added(list, where)
            pieces = tuple(read or stream(where, format=sharing.format, reading=reading))
        name = "memory" if isinstance(where, bytes) else Path(str(where)).stem
        return cls(
            name=pieces[0].name if len(pieces) == 1 else name,
            pieces=pieces,
            labels=tuple(label for piece in pieces for label in piece.documents.labels()),
        )

    def without(self, dropped: Sequence[int]) -> tuple[Corpus, ...]:
        """The pieces without these documents."""
        keep: Flags = np.ones(len(self.labels), np.bool_)
        keep[list(dropped)] = False
        ends = np.cumsum([len(piece) for piece in self.pieces])
        return tuple(
            _only(piece, np.flatnonzero(keep[end - len(piece) : end]))
            for piece, end in zip(self.pieces, ends.tolist(), strict=True)
        )


def _fraction(threshold: float | str | Fraction) -> Fraction:
    """As it was written: 0.9 is nine tenths, so that 9 shared words of 10 are not more than it."""
    try:
        limit = Fraction(str(threshold))
    except ValueError:
        limit = Fraction(-1)
    if not 0 <= limit < 1:
        raise UsageError(
            "the threshold is not a share", found=str(threshold), expected="from 0 to below 1"
        )
    return limit


def _only(corpus: Corpus, wanted: Longs) -> Corpus:
    documents = corpus.documents
    names = [(documents.names[d], int(documents.parts[d])) for d in wanted.tolist()]
    return take_documents(corpus, wanted, names)


def _reasons(
    matches: Sequence[Match],
    labels: Sequence[str],
    other_labels: Sequence[str],
    bags: Bags,
    other_bags: Bags,
) -> tuple[Duplicate, ...]:
    sizes, other_sizes = bags.sizes.tolist(), other_bags.sizes.tolist()
    return tuple(
        Duplicate(
            document=labels[m.document],
            duplicate_of=other_labels[m.other],
            ratio=m.shared / min(sizes[m.document], other_sizes[m.other]),
            shared=m.shared,
            words=sizes[m.document],
            other_words=other_sizes[m.other],
            index=m.document,
            other_index=m.other,
        )
        for m in sorted(matches, key=lambda match: match.document)
    )
