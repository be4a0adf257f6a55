"""The built-in English pipeline ``en``: our own spaCy weights, and how texts go through them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from corefbench.errors import MissingExtra
from corefbench.hearing import counted
from corefbench.preprocess.prepared import Prepared, prepare
from corefbench.preprocess.weights import fingerprint
from corefbench.preprocess.whole import whole

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

WEIGHTS = Path(__file__).parent / "models" / "en"
WORDS_AT_ONCE = 6_000

Item = TypeVar("Item")


@cache
def load() -> English:
    """The pipeline, read once per process."""
    try:
        import spacy
        from thinc.api import NumpyOps, get_current_ops, set_current_ops
    except ModuleNotFoundError as error:
        raise MissingExtra("spacy", "en") from error
    before = get_current_ops()
    # NumPy's own matrix product is about three times as fast as the one that thinc bundles.
    set_current_ops(NumpyOps(use_blis=False))
    try:
        return English(spacy.load(WEIGHTS))
    finally:
        set_current_ops(before)


class English:
    """Texts in, spaCy documents out."""

    def __init__(self, nlp: Language, weights: Path = WEIGHTS) -> None:
        self.nlp = nlp
        self._weights = weights

    @cached_property
    def identity(self) -> str:
        """Name, version and weights: ``en 1.0.0 (9f86d081)``."""
        return f"en {self.nlp.meta['version']} ({fingerprint(self._weights)})"

    def __call__(self, text: str) -> Doc:
        """One text."""
        return next(self.pipe([text]))

    def pipe(self, texts: Iterable[str]) -> Iterator[Doc]:
        """The documents, in step; blank lines end sentences, tokens stand at their ``idx``."""
        for batch in _batches((prepare(self.nlp, text) for text in texts), _words):
            annotated = self.pipe_tokens(part for prepared in batch for part in prepared.parts)
            for text, offsets, parts in batch:
                own = counted("analysing", islice(annotated, len(parts)), len(parts))
                yield whole(self.nlp.vocab, text, offsets, list(own))

    def pipe_tokens(self, docs: Iterable[Doc]) -> Iterator[Doc]:
        """Documents with their own words, in step; sentence starts that are set are kept."""
        for batch in _batches(docs, len):
            for doc in self.nlp.pipe(batch, batch_size=len(batch)):
                doc.tensor = doc.tensor[:0]  # the embeddings, which would stay in memory
                yield doc


def _words(prepared: Prepared) -> int:
    return len(prepared.offsets)


def _batches(items: Iterable[Item], words: Callable[[Item], int]) -> Iterator[list[Item]]:
    """As many items together as have the words that fit into memory; at least one."""
    batch: list[Item] = []
    count = 0
    for item in items:
        batch.append(item)
        count += words(item)
        if count >= WORDS_AT_ONCE:
            yield batch
            batch, count = [], 0
    if batch:
        yield batch
