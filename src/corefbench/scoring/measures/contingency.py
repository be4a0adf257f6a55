"""The contingency table: after matching, all that every coreference measure looks at.

For the whole corpus at once, documents as segments: the sizes of the chains on both sides and, for
each key chain *k* and response chain *r* that meet, the number of mentions they share, |k∩r|.
"""

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.corpus import Corpus
from corefbench.records import Columns, Flags, Floats, Ints, Longs
from corefbench.scoring.matching.alignment import Alignment
from corefbench.scoring.measures.repeated_mentions import Cells, Last, LinkCounts, RepeatedMentions


class Contingency(Columns, frozen=True, eq=False):
    """A sparse table: cell *i* says that chains ``key[i]`` and ``response[i]`` share ``count[i]``.

    Chains without mentions do not occur.
    """

    documents: int
    key_size: Longs
    key_document: Ints
    key_twinless: Longs
    """How many mentions of the key chain have no twin."""
    response_size: Longs
    response_document: Ints
    response_twinless: Longs
    key: Longs
    response: Longs
    count: Longs
    """How many mentions of the response chain stand in the key chain."""
    indexed: Longs
    """The same, where a mention that stands in several key chains counts only for the last."""
    key_count: Longs
    """How many mentions of the key chain stand in the response chain."""
    key_indexed: Longs
    """The same, where a mention that stands in several response chains counts only for the last.

    The four are one array unless mentions are repeated: only then do they differ, and which of
    them a scorer looks at is what scorers disagree on."""
    links: LinkCounts | None = None
    """Links counted one by one, for documents in which mentions are repeated: the reference scorer
    takes all chains of a mention. Others take its last, and their links follow from the counts."""

    def per_document(self, cell_values: np.ndarray) -> Floats:
        """The sum over the cells of each document."""
        return self._sum(self.key_document[self.key], cell_values)

    def per_key_document(self, chain_values: np.ndarray) -> Floats:
        """The sum over the key chains of each document."""
        return self._sum(self.key_document, chain_values)

    def per_response_document(self, chain_values: np.ndarray) -> Floats:
        """The sum over the response chains of each document."""
        return self._sum(self.response_document, chain_values)

    def _sum(self, document: Ints, values: np.ndarray) -> Floats:
        return np.bincount(document, values, minlength=self.documents).astype(np.float64)

    @property
    def key_mentions(self) -> Floats:
        """The number of key mentions of each document."""
        return self.per_key_document(self.key_size)

    @property
    def response_mentions(self) -> Floats:
        """The number of response mentions of each document."""
        return self.per_response_document(self.response_size)


class Tables(Columns, frozen=True, eq=False):
    """The table that recall looks at and the table that precision looks at.

    One and the same, unless the profile treats twinless or repeated mentions differently for the
    two, as Cai & Strube 2010 do.
    """

    recall: Contingency
    precision: Contingency


def pairs(count: np.ndarray) -> np.ndarray:
    """n (n − 1) / 2, the number of links among n mentions."""
    return np.asarray(count * (count - 1) // 2)


def contingency(alignment: Alignment, last: Last = "numbered") -> Contingency:
    """Count the table; ``last`` says which chain of a repeated mention is its last."""
    key, response, twin = alignment.key, alignment.response, alignment.twins.key
    key_chain, key_size, key_document = _compact(key)
    response_chain, response_size, response_document = _compact(response)
    repeats = RepeatedMentions.of(alignment)
    if repeats is None:
        matched = np.flatnonzero(twin >= 0)
        cells = _cells(key_chain[twin[matched]], response_chain[matched], len(response_size))
        found, links = _found(twin, len(key.mentions)), None
    else:
        cells = repeats.cells(key_chain, response_chain, last)
        found = repeats.key_found()
        links = repeats.links(key_chain, response_chain) if last == "numbered" else None
    key_cell, response_cell, count, indexed, key_count, key_indexed = cells
    return Contingency(
        documents=len(key),
        key_size=key_size,
        key_document=key_document,
        key_twinless=np.bincount(key_chain[~found], minlength=len(key_size)),
        response_size=response_size,
        response_document=response_document,
        response_twinless=np.bincount(response_chain[twin < 0], minlength=len(response_size)),
        key=key_cell,
        response=response_cell,
        count=count,
        indexed=indexed,
        key_count=key_count,
        key_indexed=key_indexed,
        links=links,
    )


def last_tables(alignment: Alignment, last: Last) -> Tables:
    """Return tables in which a repeated mention belongs to its last chain, as in a dictionary.

    Recall walks through the key's mentions and looks them up in the response, precision the other
    way round; the two differ only where mentions are repeated.
    """
    table = contingency(alignment, last)
    if table.indexed is table.key_indexed:  # nothing is repeated
        return Tables(recall=table, precision=table)
    return Tables(
        recall=replace(table, count=table.key_indexed, indexed=table.key_indexed),
        precision=replace(table, count=table.indexed),
    )


def _found(twin: Ints, mentions: int) -> Flags:
    """Which key mentions have a twin."""
    found = np.zeros(mentions, np.bool_)
    found[twin[twin >= 0]] = True
    return found


def _compact(corpus: Corpus) -> tuple[Ints, Longs, Ints]:
    """The chain of every mention, numbered without gaps, and each chain's size and document."""
    size = corpus.chain_sizes()
    if size.all():
        return corpus.mentions.chain, size, corpus.chains.document
    used = np.flatnonzero(size)
    number = np.zeros(len(size), np.int32)
    number[used] = np.arange(len(used))
    return number[corpus.mentions.chain], size[used], corpus.chains.document[used]


def _cells(key: Ints, response: Ints, width: int) -> Cells:
    """The distinct pairs and how often each occurs."""
    code, count = np.unique(key.astype(np.int64) * width + response, return_counts=True)
    key_cell, response_cell = np.divmod(code, max(width, 1))
    return key_cell, response_cell, count, count, count, count
