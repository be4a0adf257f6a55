"""The built-in transformer pipeline ``en-accurate``."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from corefbench.preprocess.analysis import Analysis, Entity
from corefbench.preprocess.base import Input, PreprocessorCard, hash_weights
from corefbench.preprocess.compose import compose_analysis
from corefbench.preprocess.english.tokenizer import tokenize
from corefbench.preprocess.pipelines.joint_model import JointModel, WindowColumns
from corefbench.preprocess.segmentation import slice_input
from corefbench.progress import report_progress

Offsets: TypeAlias = tuple[tuple[int, int], ...]
USUAL_PIECES = 190
"""The network was trained on windows of at most this many pieces."""
MAX_PIECES = 400
"""A window ends at the latest after this many pieces, wherever that is."""
_ENDS = frozenset({".", "!", "?", "...", "…", "!!", "??", "?!", "!!!", "???"})
_CLOSING = frozenset("\"'”’)]»") | {"''"}
WEIGHTS = Path(__file__).parents[1] / "models" / "en_accurate"


class Transformer:
    """Runs the joint model that comes with corefbench, without spaCy."""

    card = PreprocessorCard(
        name="en-accurate",
        title="Built-in English, accurate",
        description="Better trees at half the speed: sentences, tags, lemmas, dependencies and "
        "entities by one transformer, trained on the treebanks UD EWT and GUM.",
        needs="onnxruntime, tokenizers",
        cites=("silveira2014", "zeldes2017", "wang2020"),
    )

    @cached_property
    def model(self) -> JointModel:
        """The shipped network."""
        return load_model()

    @cached_property
    def identity(self) -> str:
        """Name, version and a hash of the weights: ``en-accurate 1.0.0 (9f86d081)``."""
        card = json.loads((WEIGHTS / "meta.json").read_text(encoding="utf-8"))
        return f"{card['name']} {card['version']} ({hash_weights(WEIGHTS)})"

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """Yield the analyses in the order of the inputs."""
        for source in inputs:
            reader = WindowReader(source)
            for part in slice_input(source):
                offsets = part.offsets
                if part.words is None:
                    offsets = tuple(tokenize(part.text, part.begin))
                if offsets:
                    self._read(reader, offsets, part.starts)
            yield reader.analysis(self.identity)

    def _read(self, reader: "WindowReader", offsets: Offsets, starts: list[bool] | None) -> None:
        text = reader.source.text
        words = [text[begin:end] or "_" for begin, end in offsets]
        # Windows are limited in pieces, which is what the network sees, but end between words.
        sizes = [len(pieces) for pieces in self.model.pieces(words)]
        for first, last in split_windows(words, sizes, starts):
            window_starts = None if starts is None else starts[first:last]
            columns = self.model(words[first:last], window_starts)
            within = window_starts is not None and first > 0 and not window_starts[0]
            reader.add(offsets[first:last], columns, within=within)
            report_progress("analysing", offsets[last - 1][1], len(text))


@cache
def load_model() -> JointModel:
    """Load the network, once per process."""
    return JointModel(WEIGHTS)


class WindowReader:
    """Collects the columns of one document, window by window."""

    def __init__(self, source: Input) -> None:
        self.source = source
        self.offsets: list[tuple[int, int]] = []
        self.columns = WindowColumns([], [], [], [], [], [], [], [])
        self._root = -1

    def add(self, offsets: Offsets, columns: WindowColumns, *, within: bool) -> None:
        """Add the words of a window; ``within`` a sentence, its root depends on the root before."""
        first = len(self.offsets)
        self.offsets += offsets
        heads = [first + head if head >= 0 else -1 for head in columns.heads]
        relations = columns.relations
        # Given sentences longer than a window are parsed in parts, which are joined here.
        if within:
            root = heads.index(-1)
            heads[root], relations[root] = self._root, "parataxis"
        if -1 in heads:
            self._root = first + len(heads) - 1 - heads[::-1].index(-1)
        columns = columns._replace(heads=heads, relations=relations)
        for name in WindowColumns._fields:
            getattr(self.columns, name).extend(getattr(columns, name))

    def analysis(self, pipeline: str) -> Analysis:
        """Return the analysis of all windows."""
        columns = self.columns
        begins = (index for index, starts in enumerate(columns.starts) if starts)
        return compose_analysis(
            self.source,
            offsets=self.offsets,
            sentences=tuple(pairwise([*begins, len(self.offsets)])),
            lemmas=columns.lemmas,
            upos=columns.upos,
            xpos=columns.xpos,
            features=columns.features,
            heads=columns.heads,
            relations=columns.relations,
            entities=list(decode_entities(columns.entities)),
            pipeline=pipeline,
        )


def decode_entities(tags: list[str]) -> Iterator[Entity]:
    """Decode entities from BIO tags; an I without a B begins an entity.

    >>> tags = ["B-person", "I-person", "O", "I-place"]
    >>> [(entity.start, entity.end, entity.type) for entity in decode_entities(tags)]
    [(0, 2, 'person'), (3, 4, 'place')]
    """
    begin, kind = -1, ""
    for index, tag in enumerate([*tags, "O"]):
        mark, _, tag_kind = tag.partition("-")
        if begin >= 0 and (mark != "I" or tag_kind != kind):
            yield Entity(start=begin, end=index, type=kind)
            begin = -1
        if mark != "O" and begin < 0:
            begin, kind = index, tag_kind


def split_windows(
    words: Sequence[str], sizes: Sequence[int], starts: Sequence[bool] | None = None
) -> Iterator[tuple[int, int]]:
    """Yield spans of words with few enough pieces that end with a sentence if possible.

    ``sizes`` is the number of pieces of each word; ``starts`` says which words begin a sentence,
    if known.
    """
    begin, used, last_end = 0, 0, 0
    for index, size in enumerate(sizes):
        if index > begin and (starts[index] if starts else _starts_sentence(words, index)):
            if used > USUAL_PIECES:
                yield begin, index
                begin, used, last_end = index, 0, 0
            else:
                last_end = index
        if used + size > USUAL_PIECES and last_end > begin:
            yield begin, last_end
            begin, used, last_end = last_end, sum(sizes[last_end:index]), 0
        if used + size > MAX_PIECES:
            yield begin, index
            begin, used, last_end = index, 0, 0
        used += size
    if begin < len(words):
        yield begin, len(words)


def _starts_sentence(words: Sequence[str], index: int) -> bool:
    """Return whether a sentence surely begins here: after a final mark and closing quotes."""
    if not words[index][:1].isupper():
        return False
    before = index - 1
    while before > 0 and words[before] in _CLOSING:
        before -= 1
    return words[before] in _ENDS
