"""Documents of PreCo whose spans are all plain and in their sentences: many at once."""

from collections.abc import Sequence
from itertools import chain

import msgspec
import numpy as np

from corefbench.formats.preco_spots import Spots, plain_spots
from corefbench.formats.preco_write import PARAGRAPH
from corefbench.model.builder import CorpusBuilder, firsts
from corefbench.record import Columns, Ints, Longs


class Words(msgspec.Struct):
    """One document as the file has it, its clusters undecoded; other members are passed over."""

    id: str
    sentences: list[list[str]]
    mention_clusters: msgspec.Raw


class PlainDocuments(Columns, frozen=True, eq=False):
    """Documents, their sentences, and the spans of their mentions."""

    lines: Sequence[Words]
    sentences: list[list[str]]
    lengths: Longs
    """How many words each sentence has; a mark of a paragraph has none."""
    tokens: Longs
    """How many words each document has."""
    spots: Spots
    document: Ints
    start: Longs
    end: Longs

    def add_to(self, build: CorpusBuilder) -> None:
        build.begin_documents([line.id for line in self.lines], self.tokens)
        kept = (words for words in self.sentences if words != PARAGRAPH)
        words = list(chain.from_iterable(kept))
        build.sentences(words, firsts(self.lengths[self.lengths > 0].tolist()))
        sizes = self.spots.sizes()
        counts = list(map(len, sizes))
        labels = chain.from_iterable(map(range, counts))
        document = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        first = build.add_chains(list(map(str, labels)), document)
        clusters = list(chain.from_iterable(sizes))
        number = np.repeat(np.arange(first, first + len(clusters)), clusters)
        build.add_mentions(self.start, self.end, number, document=self.document)


def plain_documents(lines: Sequence[Words], past: int) -> PlainDocuments | None:
    """The documents, if all spans lie in their sentences, as is the rule; ends are ``past`` short
    of being exclusive."""
    spots = plain_spots([bytes(line.mention_clusters) for line in lines])
    if spots is None or not lines:
        return None
    document = np.repeat(np.arange(len(lines), dtype=np.int32), spots.counts())
    counts = np.array([len(line.sentences) for line in lines], np.int64)
    if (spots.sentence >= counts[document]).any():
        return None
    sentences = list(chain.from_iterable(line.sentences for line in lines))
    lengths = np.array([0 if s == PARAGRAPH else len(s) for s in sentences], np.int64)
    sentence = firsts(counts.tolist())[document] + spots.sentence
    end = spots.end + past
    if not bool(((spots.begin < end) & (end <= lengths[sentence])).all()):
        return None
    before = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
    edges = before[np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))]
    first = before[sentence] - edges[document]
    return PlainDocuments(
        lines=lines,
        sentences=sentences,
        lengths=lengths,
        tokens=np.diff(edges),
        spots=spots,
        document=document,
        start=first + spots.begin,
        end=first + end,
    )
