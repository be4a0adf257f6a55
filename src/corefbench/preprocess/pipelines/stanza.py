"""Pre-processor that runs Stanza pipelines."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib import import_module
from typing import Any

from corefbench.errors import MissingExtra
from corefbench.preprocess.analysis import Analysis, Entity, normalize_entity_type
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.compose import compose_analysis

_PROCESSORS = "tokenize,mwt,pos,lemma,depparse,ner"


class Stanza:
    """Runs a Stanza pipeline: a language or ``language/package``; models must be installed."""

    card = PreprocessorCard(
        name="stanza",
        title="Stanza",
        description="The neural pipelines of Stanford: stanza:en, with models that are installed.",
        needs="stanza",
        cites=("qi2020",),
    )

    def __init__(self, pipeline: str = "en") -> None:
        self.language, _, self.package = pipeline.partition("/")

    def _load(self, **options: Any) -> Any:
        if self.package:
            options["package"] = self.package
        return _module().Pipeline(self.language, download_method=None, verbose=False, use_gpu=False, **options)

    @cached_property
    def _of_text(self) -> Any:
        return self._load(processors=_PROCESSORS)

    @cached_property
    def _of_words(self) -> Any:
        # Given words stay as they are: none is expanded into several.
        processors = _PROCESSORS.replace("mwt,", "")
        return self._load(processors=processors, tokenize_pretokenized=True)

    @property
    def identity(self) -> str:
        """Name and version; Stanza does not expose its weights."""
        version = _module().__version__
        return f"stanza:{self.language}/{self.package or 'default'}-{version}"

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """Yield the analyses in the order of the inputs."""
        return (self._analysis(source) for source in inputs)

    def _analysis(self, source: Input) -> Analysis:
        reading = _DocumentReader(source)
        if source.offsets is None:
            if source.text.strip():
                reading.read(self._of_text(source.text))
            return reading.analysis(self.identity)
        spans = source.sentences if source.sentences is not None else ((0, len(source.offsets)),)
        rows = [[source.text[a:b] or "_" for a, b in source.offsets[start:end]] for start, end in spans]
        if any(rows):
            reading.read(self._of_words([row for row in rows if row]))
        return reading.analysis(self.identity)


def _module() -> Any:
    try:
        return import_module("stanza")
    except ImportError as error:
        raise MissingExtra("stanza", "stanza") from error


class _DocumentReader:
    """Collects the columns of one document from Stanza's words."""

    def __init__(self, source: Input) -> None:
        self.source = source
        self.words: list[Any] = []
        self.offsets: list[tuple[int, int]] = list(source.offsets or ())
        self.sentences: list[tuple[int, int]] = []
        self.heads: list[int] = []
        self.entities: list[Entity] = []

    def read(self, document: Any) -> None:
        for sentence in document.sentences:
            first = len(self.words)
            for token in sentence.tokens:
                self.words += token.words
                if self.source.offsets is None:
                    self.offsets += _word_offsets(self.source.text, token)
            self.heads += [first + word.head - 1 if word.head else -1 for word in sentence.words]
            self.sentences.append((first, len(self.words)))
            for entity in getattr(sentence, "ents", ()):
                ids = [word.id for token in entity.tokens for word in token.words]
                self.entities.append(
                    Entity(start=first + min(ids) - 1, end=first + max(ids), type=normalize_entity_type(entity.type))
                )

    def analysis(self, pipeline: str) -> Analysis:
        return compose_analysis(
            self.source,
            offsets=self.offsets,
            sentences=self.sentences,
            lemmas=[word.lemma or "" for word in self.words],
            upos=[word.upos or "X" for word in self.words],
            xpos=[word.xpos or "" for word in self.words],
            features=[word.feats or "" for word in self.words],
            heads=self.heads,
            relations=[word.deprel or "dep" for word in self.words],
            entities=self.entities,
            pipeline=pipeline,
        )


def _word_offsets(text: str, token: Any) -> list[tuple[int, int]]:
    """Return the offsets of the words of a token: those of *don't* share its characters."""
    begin, end = token.start_char, token.end_char
    if len(token.words) == 1:
        return [(begin, end)]
    offsets = []
    for word in token.words:
        begin_of_word = text.find(word.text, begin, end)
        if begin_of_word < 0:
            return [(token.start_char, end)] * len(token.words)
        offsets.append((begin_of_word, begin_of_word + len(word.text)))
        begin = begin_of_word + len(word.text)
    return offsets
