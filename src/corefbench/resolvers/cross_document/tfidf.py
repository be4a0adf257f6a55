"""Tf-idf vectors of bags of words.

scikit-learn is not used here: its vectorizer drops words that training did not have (14 % of the
tokens of ECB+ dev), and its sorted columns change the order in which products are summed, hence the
last bits of 61 % of the similarities (by up to 1.2e-6), and with them the features that stored
models were trained on.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from corefbench.corpus.strings import Strings
from corefbench.records import Columns


class InverseDocumentFrequency(Columns, frozen=True, eq=False):
    """Inverse document frequencies: idf = ln((1 + N) / (1 + n)) + 1, with n = 0 for unseen words.

    >>> idf = InverseDocumentFrequency.fit([["a", "b"], ["a"]])
    >>> round(idf["a"], 2), round(idf["b"], 2), round(idf["c"], 2)
    (1.0, 1.41, 2.1)
    """

    weights: Mapping[str, float]
    unseen: float

    @classmethod
    def fit(cls, documents: Iterable[Iterable[str]], min_count: int = 1) -> "InverseDocumentFrequency":
        """Learn from documents; words in fewer than ``min_count`` of them count as unseen."""
        vocabularies = [set(document) for document in documents]
        counts = Counter(word for words in vocabularies for word in words)
        total = np.log(1 + len(vocabularies))
        weights = {
            word: float(total - np.log(1 + count) + 1) for word, count in sorted(counts.items()) if count >= min_count
        }
        return cls(weights=weights, unseen=float(total + 1))

    def __getitem__(self, word: str) -> float:
        return self.weights.get(word, self.unseen)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays of a checkpoint: words as UTF-8 bytes with offsets, and weights.

        >>> idf = InverseDocumentFrequency(weights={"a": 1.0, "b": 2.0}, unseen=3.0)
        >>> InverseDocumentFrequency.load(idf.arrays())["b"]
        2.0
        """
        words = Strings.of(self.weights)
        return {
            "words": np.frombuffer(words.blob, np.uint8).copy(),
            "offsets": words.offsets,
            "weights": np.array(list(self.weights.values()), np.float64),
            "unseen": np.array([self.unseen]),
        }

    @classmethod
    def load(cls, arrays: Mapping[str, np.ndarray]) -> "InverseDocumentFrequency":
        """Restore from the arrays of a checkpoint."""
        words = Strings(blob=arrays["words"].tobytes(), offsets=arrays["offsets"])
        return cls(weights=dict(zip(words, arrays["weights"].tolist(), strict=True)), unseen=float(arrays["unseen"][0]))


def tfidf_rows(bags: Sequence[Iterable[str]], idf: InverseDocumentFrequency | None = None) -> Any:
    """Return a sparse matrix with one row of length 1 per bag; empty bags have empty rows."""
    from scipy.sparse import csr_matrix

    column: dict[str, int] = {}
    indices, values, offsets = list[int](), list[float](), [0]
    for bag in bags:
        counts = Counter(bag)
        weights = [n * (idf[word] if idf is not None else 1.0) for word, n in counts.items()]
        length = sum(w * w for w in weights) ** 0.5
        indices += [column.setdefault(word, len(column)) for word in counts]
        values += [w / length for w in weights]
        offsets.append(len(indices))
    shape = (len(bags), max(len(column), 1))
    return csr_matrix((np.array(values, np.float32), indices, offsets), shape=shape)


def character_trigrams(text: str) -> list[str]:
    """Return the character trigrams of a text with boundary markers.

    >>> character_trigrams("ran")
    ['^ra', 'ran', 'an$']
    """
    framed = f"^{text}$"
    return [framed[at : at + 3] for at in range(max(len(framed) - 2, 1))]
