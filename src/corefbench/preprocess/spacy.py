"""Any spaCy pipeline, by name or path, with the labels of Universal Dependencies or ClearNLP.

Text is cut at blank lines before the pipeline sees it: on UD EWT that lifts the sentences of
en_core_web_sm from 65 to 83 F1. White space never becomes a word.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

from corefbench.errors import MissingExtra, UsageError
from corefbench.hearing import tell
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.clearnlp import is_clearnlp
from corefbench.preprocess.pieces import Piece, pieces
from corefbench.preprocess.spacy_reading import Reading

Source: TypeAlias = tuple[int, Input]
"""An input and its number, by which equal ones are told apart."""

_BATCH = 64


class Spacy:
    """Runs a spaCy pipeline: a name, a path, or one that is loaded."""

    card = PreprocessorCard(
        name="spacy",
        title="spaCy",
        description="Any spaCy pipeline with a tagger and a parser: spacy:NAME or spacy:PATH.",
        needs="spacy",
        cites=("honnibal2020",),
    )

    def __init__(self, pipeline: Any = "en_core_web_sm") -> None:
        self._given = pipeline

    @cached_property
    def pipeline(self) -> Any:
        """The loaded pipeline."""
        return load(self._given) if isinstance(self._given, str) else self._given

    @cached_property
    def _clearnlp(self) -> bool:
        return "parser" in self.pipeline.pipe_names and is_clearnlp(
            self.pipeline.get_pipe("parser").labels
        )

    @cached_property
    def identity(self) -> str:
        """Name, version, a hash of the weights, and the scheme of its labels."""
        from hashlib import sha256

        meta = self.pipeline.meta
        weights = sha256(self.pipeline.to_bytes(exclude=["vocab"])).hexdigest()[:12]
        scheme = "clearnlp" if self._clearnlp else "ud"
        return f"spacy:{meta['lang']}_{meta['name']}-{meta['version']}-{weights}-{scheme}"

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """The analyses, in step with the inputs."""
        stream = (
            (piece, (number, given))
            for number, given in enumerate(inputs)
            for piece in self._pieces(given)
        )
        for (_, given), group in groupby(self._parsed(stream), key=itemgetter(2)):
            reading = Reading(given, clearnlp=self._clearnlp)
            for doc, piece, _ in group:
                reading.add(doc, piece)
                tell("analysing", piece.end, len(given.text))
            yield reading.analysis(self.identity)

    def _pieces(self, given: Input) -> Iterator[Piece]:
        """The parts of an input that the pipeline is to see at a time."""
        return pieces(given)

    def _parsed(
        self, stream: Iterable[tuple[Piece, Source]]
    ) -> Iterator[tuple[Any, Piece, Source]]:
        """The pieces with what the pipeline makes of them."""
        docs = ((self._doc(piece), (piece, source)) for piece, source in stream)
        for doc, (piece, source) in self.pipeline.pipe(docs, as_tuples=True, batch_size=_BATCH):
            yield doc, piece, source

    def _doc(self, piece: Piece) -> Any:
        """What the pipeline takes: text, or words that are given."""
        if piece.words is None:
            return piece.text
        return words_doc(self.pipeline.vocab, piece)


def words_doc(vocab: Any, piece: Piece) -> Any:
    """A spaCy document of given words."""
    from spacy.tokens import Doc

    starts: Any = piece.starts
    return Doc(
        vocab,
        words=[word or "_" for word in piece.words or ()],
        spaces=list(piece.spaces),
        sent_starts=starts,
    )


def load(name: str) -> Any:
    """The pipeline of a name or path."""
    try:
        import spacy
    except ImportError as error:
        raise MissingExtra("spacy", "en") from error
    try:
        return spacy.load(name)
    except OSError as error:
        raise UsageError(
            f"spaCy has no pipeline named {name!r}",
            found=str(error).splitlines()[0][:200],
            remedy=f"python -m spacy download {name}, or give the path of a pipeline",
        ) from error
