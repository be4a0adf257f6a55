"""The mentions of a corpus as one table, numbered over the corpus."""

from typing import Literal, TypeAlias

import numpy as np

from corefbench.model.corpus import Corpus
from corefbench.record import Columns, Flags, Longs
from corefbench.resolvers.across.words import Words

Kind: TypeAlias = Literal["event", "entity", "all"]


class Table(Columns, frozen=True, eq=False):
    """Where mentions stand; tokens and sentences are numbered over the corpus."""

    document: Longs
    sentence: Longs
    start: Longs
    end: Longs
    head: Longs
    chain: Longs
    """Mentions of one number corefer; all -1 where that is not known."""

    def __len__(self) -> int:
        return len(self.start)


def chosen(corpus: Corpus, kind: Kind) -> Flags:
    """Which mentions are of that kind; all, where the corpus does not tell."""
    kinds = corpus.mentions.columns.get("kind")
    if kind == "all" or kinds is None:
        return np.ones(len(corpus.mentions), np.bool_)
    return np.array([value == kind for value in kinds], np.bool_)


def gold(corpus: Corpus, words: Words, kind: Kind = "all") -> Table:
    """The mentions that are annotated; chains of one label are one in all documents."""
    rows = np.flatnonzero(chosen(corpus, kind))
    mentions = corpus.mentions
    first = corpus.tokens.offsets[mentions.document[rows]]
    _, label = np.unique(corpus.chains.labels, return_inverse=True)
    return tabled(
        words,
        first + mentions.start[rows],
        first + mentions.end[rows],
        label.reshape(-1)[mentions.chain[rows]].astype(np.int64),
    )


def tabled(words: Words, start: Longs, end: Longs, chain: Longs | None = None) -> Table:
    """Mentions given by their first token and the one past the last."""
    return Table(
        document=words.document[start],
        sentence=words.sentence[start],
        start=start,
        end=end,
        head=heads(words, start, end),
        chain=np.full(len(start), -1, np.int64) if chain is None else chain,
    )


def heads(words: Words, start: Longs, end: Longs) -> Longs:
    """The first word of each mention that is governed from outside it, bar function words."""
    made = []
    for a, b in zip(start.tolist(), end.tolist(), strict=True):
        outside = [t for t in range(a, b) if not a <= words.governors[t] < b]
        content = [t for t in outside if words.tags[t] not in _FUNCTION]
        made.append((content or outside or [b - 1])[0])
    return np.array(made, np.int64).reshape(-1)


_FUNCTION = frozenset({"ADP", "DET", "PUNCT", "CCONJ", "SCONJ", "AUX", "PART"})
