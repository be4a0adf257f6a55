"""The built-in pipeline ``en-accurate``: a small fine-tuned transformer, without spaCy."""

import json
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path

from corefbench.hearing import tell
from corefbench.preprocess import slices
from corefbench.preprocess.accurate_reading import Reading
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.english_words import Words
from corefbench.preprocess.joint_model import JointModel
from corefbench.preprocess.pieces import Piece, pieces
from corefbench.preprocess.weights import fingerprint
from corefbench.preprocess.windows import windows

WEIGHTS = Path(__file__).parent / "models" / "en_accurate"


class Accurate:
    """Runs the joint model that comes with corefbench."""

    card = PreprocessorCard(
        name="en-accurate",
        title="Built-in English, accurate",
        description="Better trees at half the speed: sentences, tags, lemmas, dependencies and "
        "entities by one transformer, trained on the treebanks UD EWT and GUM.",
        needs="onnxruntime, tokenizers",
        cites=("silveira2014", "zeldes2017", "wang2020"),
    )

    def __init__(self) -> None:
        self._words = Words()

    @cached_property
    def model(self) -> JointModel:
        """The shipped network."""
        return load()

    @cached_property
    def identity(self) -> str:
        """Name, version and weights: ``en-accurate 1.0.0 (9f86d081)``."""
        card = json.loads((WEIGHTS / "meta.json").read_text(encoding="utf-8"))
        return f"{card['name']} {card['version']} ({fingerprint(WEIGHTS)})"

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """The analyses, in step with the inputs."""
        for given in inputs:
            reading = Reading(given)
            for piece in pieces(given):
                offsets = piece.offsets if piece.words is not None else self._tokenised(piece)
                if offsets:
                    self._read(reading, offsets, piece.starts)
            yield reading.analysis(self.identity)

    def _tokenised(self, piece: Piece) -> tuple[tuple[int, int], ...]:
        """The words of a piece of text, in the text's own offsets."""
        offsets, begin = [], piece.begin
        for part in slices.pieces(piece.text):
            offsets += [(begin + start, begin + end) for start, end in self._words(part)]
            begin += len(part)
        return tuple(offsets)

    def _read(
        self, reading: Reading, offsets: tuple[tuple[int, int], ...], starts: list[bool] | None
    ) -> None:
        words = [reading.given.text[begin:end] or "_" for begin, end in offsets]
        sizes = [len(row) for row in self.model.pieces(words)]
        for first, last in windows(words, sizes, starts):
            kept = None if starts is None else starts[first:last]
            columns = self.model(words[first:last], kept)
            within = kept is not None and first > 0 and not kept[0]
            reading.add(offsets[first:last], columns, within=within)
            tell("analysing", offsets[last - 1][1], len(reading.given.text))


@cache
def load() -> JointModel:
    """The network, read once per process."""
    return JointModel(WEIGHTS)
