"""Vectors of words in context, of whole texts and of words alone, kept on disk as fp16."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from corefbench.caches import cache_folder
from corefbench.model.corpus import Corpus

if TYPE_CHECKING:
    from corefbench.resolvers.neural.encoder import Encoder

Vectors: TypeAlias = NDArray[np.float32]

_AT_ONCE = 64


class Vectoriser:
    """An encoder that does not learn, with a cache; made only when something is not in it."""

    def __init__(self, name: str = "minilm", window: int = 384, folder: Path | None = None) -> None:
        self.name = name
        self.window = window
        self.folder = folder if folder is not None else cache_folder("vectors")
        self._encoder: Encoder | None = None

    def tokens(self, corpus: Corpus) -> Vectors:
        """A vector for each token of the corpus, as its document has it in context."""
        texts = [(document.words, [a for a, _ in document.sentences]) for document in corpus]
        return self.encoded(texts)

    def alone(self, texts: Sequence[str]) -> Vectors:
        """A vector of length 1 for each text, taken by itself: the mean over its words."""
        words = [text.split() or [text] for text in texts]
        made = self.encoded([(some, [0]) for some in words])
        counts = np.array([len(some) for some in words], np.int64)
        return unit(means(made, np.cumsum(counts) - counts, np.cumsum(counts)))

    def encoded(self, texts: Sequence[tuple[Sequence[str], Sequence[int]]]) -> Vectors:
        """The vectors of the words of all texts, one after another."""
        from safetensors.numpy import load_file, save

        path = self.folder / f"{self._key(texts)}.safetensors"
        if path.exists():
            return np.asarray(load_file(path)["vectors"], np.float32)
        made = self._encode(texts)
        self.folder.mkdir(parents=True, exist_ok=True)
        partly = path.with_name(f"{path.name}.{os.getpid()}")
        partly.write_bytes(save({"vectors": made.astype(np.float16)}))
        os.replace(partly, path)
        # As another run reads it, so that both see the same numbers.
        return made.astype(np.float16).astype(np.float32)

    def _encode(self, texts: Sequence[tuple[Sequence[str], Sequence[int]]]) -> Vectors:
        import torch

        from corefbench.resolvers.neural.encoder import Encoder

        if self._encoder is None:
            self._encoder = Encoder(self.name, window=self.window).eval()
        encoder = self._encoder
        made = [np.zeros((0, encoder.width), np.float32)]
        with torch.inference_mode():
            for first in range(0, len(texts), _AT_ONCE):
                some = texts[first : first + _AT_ONCE]
                windows = [w for words, starts in some for w in encoder.windows(words, starts)]
                if windows:
                    made.append(encoder(windows).numpy())
        return np.concatenate(made)

    def _key(self, texts: Sequence[tuple[Sequence[str], Sequence[int]]]) -> str:
        digest = hashlib.sha256(f"corefbench vectors 1 {self.name} {self.window}".encode())
        for words, starts in texts:
            digest.update("\0".join([*words, *map(str, starts), "\1"]).encode())
        return digest.hexdigest()[:32]


def means(vectors: Vectors, start: NDArray[np.int64], end: NDArray[np.int64]) -> Vectors:
    """The mean of the vectors ``start`` to ``end``, many at once.

    >>> means(np.array([[1.0], [3.0], [8.0]]), np.array([0, 2]), np.array([2, 3])).tolist()
    [[2.0], [8.0]]
    """
    sums = np.zeros((len(vectors) + 1, vectors.shape[1]))
    np.cumsum(vectors, axis=0, out=sums[1:])
    count = np.maximum(end - start, 1)[:, None]
    return np.asarray((sums[end] - sums[start]) / count, np.float32)


def unit(vectors: Vectors) -> Vectors:
    """The vectors at length 1; nothing stays nothing."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-9), np.float32)
