"""Vectors of texts: those of a frozen encoder, cached on disk, and tf-idf of bags of words."""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from corefbench.corpus.corpus import Corpus
from corefbench.corpus.strings import Strings
from corefbench.paths import cache_folder
from corefbench.records import Columns

if TYPE_CHECKING:
    from corefbench.resolvers.neural.encoder import Encoder

Vectors: TypeAlias = NDArray[np.float32]

Text: TypeAlias = tuple[Sequence[str], Sequence[int]]
"""Words, and the first word of each sentence."""

_TEXTS_PER_BATCH = 64


class CachedEncoder:
    """A frozen encoder with an on-disk cache; the encoder is loaded on the first cache miss."""

    def __init__(self, name: str = "minilm", window: int = 384, folder: Path | None = None) -> None:
        self.name = name
        self.window = window
        self.folder = folder if folder is not None else cache_folder("vectors")
        self._encoder: Encoder | None = None

    def encode_corpus(self, corpus: Corpus) -> Vectors:
        """Return the contextual vector of each token of the corpus."""
        texts = [(document.words, [a for a, _ in document.sentences]) for document in corpus]
        return self.encode(texts)

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        """Return the normalized mean vector of each text, encoded without context."""
        words = [text.split() or [text] for text in texts]
        vectors = self.encode([(text_words, [0]) for text_words in words])
        counts = np.array([len(text_words) for text_words in words], np.int64)
        return normalize_rows(span_means(vectors, np.cumsum(counts) - counts, np.cumsum(counts)))

    def encode(self, texts: Sequence[Text]) -> Vectors:
        """Return the vectors of the words of all texts, concatenated."""
        from safetensors.numpy import load_file, save

        path = self.folder / f"{self._key(texts)}.safetensors"
        if path.exists():
            return np.asarray(load_file(path)["vectors"], np.float32)
        vectors = self._encode(texts)
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.{token_hex(8)}")
        partial.write_bytes(save({"vectors": vectors.astype(np.float16)}))
        os.replace(partial, path)
        # Rounded as the cache is, so that the first run sees the same numbers as later ones.
        return vectors.astype(np.float16).astype(np.float32)

    def _encode(self, texts: Sequence[Text]) -> Vectors:
        import torch

        from corefbench.resolvers.neural.encoder import Encoder

        if self._encoder is None:
            self._encoder = Encoder(self.name, window=self.window).eval()
        encoder = self._encoder
        vectors = [np.zeros((0, encoder.width), np.float32)]
        with torch.inference_mode():
            for first in range(0, len(texts), _TEXTS_PER_BATCH):
                batch = texts[first : first + _TEXTS_PER_BATCH]
                windows = [w for words, starts in batch for w in encoder.windows(words, starts)]
                if windows:
                    vectors.append(encoder(windows).numpy())
        return np.concatenate(vectors)

    def _key(self, texts: Sequence[Text]) -> str:
        digest = hashlib.sha256(f"corefbench vectors 1 {self.name} {self.window}".encode())
        for words, starts in texts:
            digest.update("\0".join([*words, *map(str, starts), "\1"]).encode())
        return digest.hexdigest()[:32]


def span_means(vectors: Vectors, start: NDArray[np.int64], end: NDArray[np.int64]) -> Vectors:
    """Return the mean vector of each span.

    >>> span_means(np.array([[1.0], [3.0], [8.0]]), np.array([0, 2]), np.array([2, 3])).tolist()
    [[2.0], [8.0]]
    """
    sums = np.zeros((len(vectors) + 1, vectors.shape[1]))
    np.cumsum(vectors, axis=0, out=sums[1:])
    count = np.maximum(end - start, 1)[:, None]
    return np.asarray((sums[end] - sums[start]) / count, np.float32)


def normalize_rows(vectors: Vectors) -> Vectors:
    """Scale rows to length 1; zero rows stay zero."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-9), np.float32)


# Tf-idf. scikit-learn is not used here: its vectorizer drops words that training did not have (14 %
# of the tokens of ECB+ dev), and its sorted columns change the order in which products are summed,
# hence the last bits of 61 % of the similarities (by up to 1.2e-6), and with them the features that
# stored models were trained on.


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
