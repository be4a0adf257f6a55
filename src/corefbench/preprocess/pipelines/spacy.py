"""Pre-processors that run spaCy pipelines: any installed one, and ``en``, which is shipped.

Text is split at blank lines before the pipeline sees it: on UD EWT that raises the sentence F1 of
en_core_web_sm from 65 to 83. White space never becomes a word.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

from corefbench.errors import MissingExtra, UsageError
from corefbench.preprocess.analysis import Analysis, Entity, normalize_entity_type, penn_to_upos
from corefbench.preprocess.base import Input, PreprocessorCard, hash_weights
from corefbench.preprocess.compose import compose_analysis
from corefbench.preprocess.pipelines.clearnlp import ClearNLPConverter, is_clearnlp
from corefbench.preprocess.segmentation import TextSlice, slice_input, split_long_words, split_text
from corefbench.progress import report_progress

NumberedInput: TypeAlias = tuple[int, Input]
"""An input and its number, which distinguishes equal inputs."""
ParsedSlice: TypeAlias = tuple[Any, TextSlice, NumberedInput]
"""A spaCy document, the slice that it was made of, and its input."""

_BATCH = 64
WEIGHTS = Path(__file__).parents[1] / "models" / "en"
WORDS_PER_BATCH = 6_000
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2060-\u2064\ufe0e\ufe0f\ufeff]")


class Spacy:
    """Runs a spaCy pipeline, given by name, by path, or loaded."""

    card = PreprocessorCard(
        name="spacy",
        title="spaCy",
        description="Any spaCy pipeline with a tagger and a parser: spacy:NAME or spacy:PATH.",
        needs="spacy",
        cites=("honnibal2020",),
    )

    def __init__(self, pipeline: Any = "en_core_web_sm") -> None:
        self._pipeline = pipeline

    @cached_property
    def pipeline(self) -> Any:
        """The loaded pipeline."""
        return load_pipeline(self._pipeline) if isinstance(self._pipeline, str) else self._pipeline

    @cached_property
    def _clearnlp(self) -> bool:
        return "parser" in self.pipeline.pipe_names and is_clearnlp(self.pipeline.get_pipe("parser").labels)

    @cached_property
    def identity(self) -> str:
        """Name, version, a hash of the weights, and the scheme of its labels."""
        from hashlib import sha256

        meta = self.pipeline.meta
        weights = sha256(self.pipeline.to_bytes(exclude=["vocab"])).hexdigest()[:12]
        scheme = "clearnlp" if self._clearnlp else "ud"
        return f"spacy:{meta['lang']}_{meta['name']}-{meta['version']}-{weights}-{scheme}"

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """Yield the analyses in the order of the inputs."""
        slices = (
            (text_slice, (number, source))
            for number, source in enumerate(inputs)
            for text_slice in self._slices(source)
        )
        # Slices of one input follow each other; its number tells apart two inputs that are equal.
        for (_, source), group in groupby(self._parse(slices), key=itemgetter(2)):
            reader = DocReader(source, clearnlp=self._clearnlp)
            for doc, text_slice, _ in group:
                reader.add(doc, text_slice)
                report_progress("analysing", text_slice.end, len(source.text))
            yield reader.analysis(self.identity)

    def _slices(self, source: Input) -> Iterator[TextSlice]:
        """Split an input into the parts that the pipeline sees at a time."""
        return slice_input(source)

    def _parse(self, slices: Iterable[tuple[TextSlice, NumberedInput]]) -> Iterator[ParsedSlice]:
        """Run the pipeline on slices, which are text or given words."""
        vocab = self.pipeline.vocab
        docs = ((item[0].text if item[0].words is None else make_doc(vocab, item[0]), item) for item in slices)
        for doc, item in self.pipeline.pipe(docs, as_tuples=True, batch_size=_BATCH):
            yield doc, *item


class DocReader:
    """Collects the columns of one document from spaCy documents, slice by slice."""

    def __init__(self, source: Input, *, clearnlp: bool) -> None:
        self.source, self.clearnlp = source, clearnlp
        self.offsets: list[tuple[int, int]] = []
        self.lemmas: list[str] = []
        self.upos: list[str] = []
        self.xpos: list[str] = []
        self.features: list[str] = []
        self.heads: list[int] = []
        self.relations: list[str] = []
        self.entities: list[Entity] = []
        self.begins: list[int] = []

    def add(self, doc: Any, text_slice: TextSlice) -> None:
        """Add the tokens of a slice without white space."""
        if len(doc) and not doc.has_annotation("DEP"):
            raise UsageError("the spaCy pipeline has no parser", remedy="take one with a tagger and a parser")
        keep_all = text_slice.words is not None
        index, count = [], len(self.offsets)
        for token in doc:
            index.append(count)
            count += keep_all or not token.is_space
        begins = True
        for token in doc:
            begins = begins or bool(token.is_sent_start)
            if token.is_space and not keep_all:
                continue
            if begins:
                self.begins.append(len(self.offsets))
                begins = False
            self._add_token(token, text_slice, index)
        self.entities += [
            Entity(start=index[span.start], end=end, type=normalize_entity_type(span.label_))
            for span in doc.ents
            for end in [index[span.end] if span.end < len(doc) else count]
            if end > index[span.start]
        ]

    def _add_token(self, token: Any, text_slice: TextSlice, index: list[int]) -> None:
        if text_slice.words is not None:
            self.offsets.append(text_slice.offsets[token.i])
        else:
            begin = text_slice.begin + token.idx
            self.offsets.append((begin, begin + len(token.text)))
        # White space is dropped, so its dependents attach to its governor.
        head = token.head
        while head.is_space and head.head.i != head.i and text_slice.words is None:
            head = head.head
        root = head.i == token.i or (head.is_space and text_slice.words is None)
        self.heads.append(-1 if root else index[head.i])
        self.relations.append("root" if root else token.dep_ or "dep")
        self.lemmas.append(token.lemma_)
        self.upos.append(token.pos_ or penn_to_upos(token.tag_, token.text))
        self.xpos.append(token.tag_)
        self.features.append(str(token.morph))

    def analysis(self, pipeline: str) -> Analysis:
        """Return the analysis of all slices."""
        heads, relations = self.heads, self.relations
        if self.clearnlp:
            heads, relations = ClearNLPConverter(self.lemmas, self.upos, heads, relations).universal()
        return compose_analysis(
            self.source,
            offsets=self.offsets,
            sentences=tuple(pairwise([*self.begins, len(self.offsets)])),
            lemmas=self.lemmas,
            upos=self.upos,
            xpos=self.xpos,
            features=self.features,
            heads=heads,
            relations=relations,
            entities=self.entities,
            pipeline=pipeline,
        )


def make_doc(vocab: Any, text_slice: TextSlice) -> Any:
    """Make a spaCy document of given words."""
    from spacy.tokens import Doc

    starts: Any = text_slice.starts
    return Doc(
        vocab,
        words=[word or "_" for word in text_slice.words or ()],
        spaces=list(text_slice.spaces),
        sent_starts=starts,
    )


def load_pipeline(name: str) -> Any:
    """Load the pipeline of a name or path."""
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
