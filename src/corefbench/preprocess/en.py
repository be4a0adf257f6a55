"""The built-in English pipeline as a pre-processor."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby, tee
from typing import Any

from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.pieces import Piece, pieces
from corefbench.preprocess.spacy import Source, Spacy, words_doc


class English(Spacy):
    """Runs the pipeline that comes with corefbench; it cuts texts into slices itself."""

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
        from corefbench.preprocess.english import load

        return load()

    @property
    def identity(self) -> str:
        """Name, version and a hash of the weights."""
        return str(self.pipeline.identity)

    @cached_property
    def _clearnlp(self) -> bool:
        return False

    def _pieces(self, given: Input) -> Iterator[Piece]:
        return iter([Piece(text=given.text)]) if given.offsets is None else pieces(given)

    def _parsed(
        self, stream: Iterable[tuple[Piece, Source]]
    ) -> Iterator[tuple[Any, Piece, Source]]:
        """Texts and given words go through different doors, so they go in runs of one kind."""
        for is_text, run in groupby(stream, key=lambda row: row[0].words is None):
            rows, seen = tee(run)
            if is_text:
                docs = self.pipeline.pipe(piece.text for piece, _ in rows)
            else:
                vocab = self.pipeline.nlp.vocab
                docs = self.pipeline.pipe_tokens(words_doc(vocab, piece) for piece, _ in rows)
            for doc, (piece, source) in zip(docs, seen, strict=True):
                yield doc, piece, source
