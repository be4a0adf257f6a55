"""The built-in spaCy pipeline ``en``.

The pipeline's tokenizer runs on the slices of a text, so that memory depends on the slice, and the
other components on documents of words alone: white space never becomes a token.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from corefbench.errors import MissingExtra
from corefbench.preprocess.base import Input, PreprocessorCard, hash_weights
from corefbench.preprocess.pipelines.spacy import NumberedInput, ParsedSlice, Spacy, make_doc
from corefbench.preprocess.segmentation import TextSlice, slice_input, split_long_words, split_text

WEIGHTS = Path(__file__).parents[1] / "models" / "en"
WORDS_PER_BATCH = 6_000

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2060-\u2064\ufe0e\ufe0f\ufeff]")


class English(Spacy):
    """Runs the spaCy pipeline that comes with corefbench."""

    card = PreprocessorCard(
        name="en",
        title="Built-in English",
        description="Tags, lemmas, dependencies and entities by the pipeline that is shipped, "
        "trained on the treebanks UD EWT and GUM.",
        needs="spacy",
        cites=("silveira2014", "zeldes2017"),
    )

    def __init__(self) -> None:
        super().__init__("en")

    @cached_property
    def pipeline(self) -> Any:
        """The shipped pipeline."""
        return load_builtin()

    @cached_property
    def identity(self) -> str:
        """Name, version and a hash of the weights: ``en 1.0.0 (9f86d081)``."""
        return f"en {self.pipeline.meta['version']} ({hash_weights(WEIGHTS)})"

    @cached_property
    def _clearnlp(self) -> bool:
        return False

    def _slices(self, source: Input) -> Iterator[TextSlice]:
        if source.offsets is not None:
            return slice_input(source)
        return self._tokenized_slices(source.text)

    def _tokenized_slices(self, text: str) -> Iterator[TextSlice]:
        # spaCy cannot hold lone surrogates, which no valid Unicode text has.
        text = _LONE_SURROGATE.sub("\ufffd", text)
        is_empty = True
        for begin, end in split_text(text):
            offsets = tuple(self._tokenize(text, begin, end))
            if offsets:
                is_empty = False
                spaces = (end < next_begin for (_, end), (next_begin, _) in pairwise(offsets))
                # Invisible characters would make a known word an unknown one.
                words = [text[begin:end] for begin, end in offsets]
                words = [_INVISIBLE.sub("", word) or word for word in words]
                yield TextSlice(words=words, offsets=offsets, spaces=(*spaces, False))
        if is_empty:
            yield TextSlice(words=[])

    def _tokenize(self, text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
        for part in split_long_words(text[begin:end]):
            for token in self.pipeline.tokenizer(part):
                if not token.is_space:
                    start = begin + token.idx
                    yield start, start + len(token)
            begin += len(part)

    def _parse(self, slices: Iterable[tuple[TextSlice, NumberedInput]]) -> Iterator[ParsedSlice]:
        for batch in _batch_by_words(slices):
            docs = [make_doc(self.pipeline.vocab, text_slice) for text_slice, _ in batch]
            parsed = self.pipeline.pipe(docs, batch_size=len(docs))
            for doc, (text_slice, numbered_input) in zip(parsed, batch, strict=True):
                doc.tensor = doc.tensor[:0]  # the embeddings, which would stay in memory
                yield doc, text_slice, numbered_input


@cache
def load_builtin() -> Any:
    """Load the shipped pipeline, once per process."""
    try:
        import spacy
        from thinc.api import NumpyOps, get_current_ops, set_current_ops
    except ModuleNotFoundError as error:
        raise MissingExtra("spacy", "en") from error
    before = get_current_ops()
    # NumPy's own matrix product is about three times as fast as the one that thinc bundles.
    set_current_ops(NumpyOps(use_blis=False))
    try:
        return spacy.load(WEIGHTS)
    finally:
        set_current_ops(before)


def _batch_by_words(
    slices: Iterable[tuple[TextSlice, NumberedInput]],
) -> Iterator[list[tuple[TextSlice, NumberedInput]]]:
    """Batch slices by their number of words, which bounds memory; at least one per batch."""
    batch: list[tuple[TextSlice, NumberedInput]] = []
    count = 0
    for item in slices:
        batch.append(item)
        count += len(item[0].offsets)
        if count >= WORDS_PER_BATCH:
            yield batch
            batch, count = [], 0
    if batch:
        yield batch
