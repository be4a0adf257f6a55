"""Token and text vectors of a frozen encoder, cached on disk."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from corefbench.corpus.corpus import Corpus
from corefbench.paths import cache_folder

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
        partial = path.with_name(f"{path.name}.{os.getpid()}")
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
