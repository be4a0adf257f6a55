"""Bags of words as sparse rows of length 1, weighted by how rare the words were in training."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from corefbench.record import Columns


class Rarity(Columns, frozen=True, eq=False):
    """Inverse document frequencies: idf = ln((1 + N) / (1 + n)) + 1.

    A word that training never had is as rare as can be.

    >>> rarity = Rarity.of([["a", "b"], ["a"]])
    >>> round(rarity["a"], 2), round(rarity["b"], 2), round(rarity["c"], 2)
    (1.0, 1.41, 2.1)
    """

    weights: Mapping[str, float]
    unseen: float

    @classmethod
    def of(cls, documents: Iterable[Iterable[str]], least: int = 1) -> "Rarity":
        """Learn from documents; words in fewer than ``least`` of them count as not seen."""
        sets = [set(document) for document in documents]
        counts = Counter(word for words in sets for word in words)
        top = np.log(1 + len(sets))
        weights = {
            word: float(top - np.log(1 + count) + 1)
            for word, count in sorted(counts.items())
            if count >= least
        }
        return cls(weights=weights, unseen=float(top + 1))

    def __getitem__(self, word: str) -> float:
        return self.weights.get(word, self.unseen)


def rows(bags: Sequence[Iterable[str]], rarity: Rarity | None = None) -> Any:
    """A sparse matrix with a row of length 1 for each bag; an empty bag is a row of nothing."""
    from scipy.sparse import csr_matrix

    column: dict[str, int] = {}
    indices, values, edges = list[int](), list[float](), [0]
    for bag in bags:
        counts = Counter(bag)
        weights = [n * (rarity[word] if rarity is not None else 1.0) for word, n in counts.items()]
        length = sum(w * w for w in weights) ** 0.5
        indices += [column.setdefault(word, len(column)) for word in counts]
        values += [w / length for w in weights]
        edges.append(len(indices))
    shape = (len(bags), max(len(column), 1))
    return csr_matrix((np.array(values, np.float32), indices, edges), shape=shape)


def trigrams(text: str) -> list[str]:
    """The runs of three characters of a text with an edge on both sides.

    >>> trigrams("ran")
    ['^ra', 'ran', 'an$']
    """
    framed = f"^{text}$"
    return [framed[at : at + 3] for at in range(max(len(framed) - 2, 1))]
