"""A corpus with its chains replaced by those that a model found."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from corefbench.model.corpus import Chains, Corpus, Mentions, Relations

Span = tuple[int, int]


def answered(corpus: Corpus, clusters: Sequence[Sequence[Sequence[Span]]]) -> Corpus:
    """The same documents and words with these chains: for each document spans of its words.

    Words are counted without empty nodes. Of two mentions with one span the first stays.

    >>> from corefbench.formats.load import load
    >>> text = b"#begin document (a); part 000\\na 0 0 Ann -\\na 0 1 she -\\n#end document\\n"
    >>> answered(load(text), [[[(0, 1), (1, 2)]]])[0].clusters()
    [[(0, 1), (1, 2)]]
    """
    rows: list[tuple[int, int, int, int]] = []
    number = 0
    for document, chains in enumerate(clusters):
        place, taken = _places(corpus, document), set[Span]()
        for chain in chains:
            for start, end in chain:
                if (start, end) not in taken:
                    taken.add((start, end))
                    rows.append((document, place[start], place[end - 1] + 1, number))
            number += 1
    return _replaced(corpus, np.array(rows, np.int32).reshape(-1, 4))


def _places(corpus: Corpus, document: int) -> list[int]:
    """Where each word of a document stands among its tokens, empty nodes counted."""
    first, last = corpus.tokens.offsets[document : document + 2].tolist()
    empty = corpus.tokens.empty
    if empty is None:
        return list(range(last - first))
    found: list[int] = np.flatnonzero(~empty[first:last]).tolist()
    return found


def _replaced(corpus: Corpus, rows: np.ndarray) -> Corpus:
    """In the order in which mentions open, chains numbered by first appearance."""
    rows = rows[np.lexsort((rows[:, 3], -rows[:, 2], rows[:, 1], rows[:, 0]))]
    document, start, end, chain = (np.ascontiguousarray(column) for column in rows.T)
    _, first, number = np.unique(chain, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int32)
    rank[np.argsort(first)] = np.arange(len(first))
    return replace(
        corpus,
        mentions=Mentions(document=document, start=start, end=end, chain=rank[number.reshape(-1)]),
        chains=Chains(document=document[np.sort(first)], labels=np.arange(1, len(first) + 1)),
        relations=Relations.none(),
    )
