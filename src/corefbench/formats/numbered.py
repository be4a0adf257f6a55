"""A stream of documents in lots of so many, each of which becomes a file."""

from collections.abc import Iterable, Iterator

import numpy as np

from corefbench.model.assemble import take_documents
from corefbench.model.corpus import Corpus


def lots(pieces: Iterable[Corpus], documents: int) -> Iterator[list[Corpus]]:
    """The same documents in the same order, so many in a lot, in the last perhaps fewer."""
    waiting: list[Corpus] = []
    for piece in pieces:
        start = 0
        while start < len(piece):
            end = min(len(piece), start + documents - sum(map(len, waiting)))
            waiting.append(_between(piece, start, end))
            start = end
            if sum(map(len, waiting)) == documents:
                yield waiting
                waiting = []
    if waiting:
        yield waiting


def _between(corpus: Corpus, start: int, end: int) -> Corpus:
    names, parts = corpus.documents.names, corpus.documents.parts.tolist()
    labels = list(zip(names[start:end], parts[start:end], strict=True))
    return take_documents(corpus, np.arange(start, end), labels)
