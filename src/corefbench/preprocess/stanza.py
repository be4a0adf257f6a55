"""The stanza pipelines, where stanza and its models are installed."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib import import_module
from typing import Any

from corefbench.errors import MissingExtra
from corefbench.preprocess.analysis import Analysis, Entity
from corefbench.preprocess.base import Input, PreprocessorCard
from corefbench.preprocess.compose import compose
from corefbench.preprocess.entity_labels import entity_type

_PROCESSORS = "tokenize,mwt,pos,lemma,depparse,ner"


class Stanza:
    """Runs a stanza pipeline: a language or ``language/package``; models must be there already."""

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
        return _module().Pipeline(
            self.language, download_method=None, verbose=False, use_gpu=False, **options
        )

    @cached_property
    def _of_text(self) -> Any:
        return self._load(processors=_PROCESSORS)

    @cached_property
    def _of_words(self) -> Any:
        processors = _PROCESSORS.replace("mwt,", "")
        return self._load(processors=processors, tokenize_pretokenized=True)

    @property
    def identity(self) -> str:
        """Name and version; stanza does not tell of its weights."""
        version = _module().__version__
        return f"stanza:{self.language}/{self.package or 'default'}-{version}"

    def analyse(self, inputs: Iterable[Input]) -> Iterator[Analysis]:
        """The analyses, in step with the inputs."""
        return (self._analysis(given) for given in inputs)

    def _analysis(self, given: Input) -> Analysis:
        reading = _Reading(given)
        if given.offsets is None:
            if given.text.strip():
                reading.read(self._of_text(given.text))
            return reading.analysis(self.identity)
        spans = given.sentences if given.sentences is not None else ((0, len(given.offsets)),)
        rows = [
            [given.text[a:b] or "_" for a, b in given.offsets[start:end]] for start, end in spans
        ]
        if any(rows):
            reading.read(self._of_words([row for row in rows if row]))
        return reading.analysis(self.identity)


def _module() -> Any:
    try:
        return import_module("stanza")
    except ImportError as error:
        raise MissingExtra("stanza", "stanza") from error


class _Reading:
    """One document, from stanza's words to columns."""

    def __init__(self, given: Input) -> None:
        self.given = given
        self.words: list[Any] = []
        self.offsets: list[tuple[int, int]] = list(given.offsets or ())
        self.sentences: list[tuple[int, int]] = []
        self.heads: list[int] = []
        self.entities: list[Entity] = []

    def read(self, document: Any) -> None:
        for sentence in document.sentences:
            first = len(self.words)
            for token in sentence.tokens:
                self.words += token.words
                if self.given.offsets is None:
                    self.offsets += _places(self.given.text, token)
            self.heads += [first + word.head - 1 if word.head else -1 for word in sentence.words]
            self.sentences.append((first, len(self.words)))
            for entity in getattr(sentence, "ents", ()):
                ids = [word.id for token in entity.tokens for word in token.words]
                self.entities.append(
                    Entity(
                        start=first + min(ids) - 1,
                        end=first + max(ids),
                        type=entity_type(entity.type),
                    )
                )

    def analysis(self, pipeline: str) -> Analysis:
        given = self.given
        return compose(
            given,
            words=[given.text[begin:end] for begin, end in self.offsets],
            offsets=self.offsets,
            sentences=given.sentences if given.sentences is not None else self.sentences,
            lemmas=[word.lemma or "" for word in self.words],
            upos=[word.upos or "X" for word in self.words],
            xpos=[word.xpos or "" for word in self.words],
            features=[word.feats or "" for word in self.words],
            heads=self.heads,
            relations=[word.deprel or "dep" for word in self.words],
            entities=self.entities,
            pipeline=pipeline,
        )


def _places(text: str, token: Any) -> list[tuple[int, int]]:
    """Where the words of a token stand: those of *don't* share its characters."""
    begin, end = token.start_char, token.end_char
    if len(token.words) == 1:
        return [(begin, end)]
    places = []
    for word in token.words:
        found = text.find(word.text, begin, end)
        if found < 0:
            return [(token.start_char, end)] * len(token.words)
        places.append((found, found + len(word.text)))
        begin = found + len(word.text)
    return places
