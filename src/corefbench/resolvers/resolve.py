"""Resolve a text, a file or a corpus, as ``corefbench resolve`` does."""

from collections.abc import Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

from corefbench.corpus.combine import split_documents
from corefbench.corpus.corpus import Corpus
from corefbench.engine import map_documents
from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.load import stream
from corefbench.preprocess import DEFAULT
from corefbench.preprocess import make as make_preprocessor
from corefbench.preprocess.base import Input, Preprocessor
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.documents import Keep, gold_mentions, make_input
from corefbench.resolvers import make as make_resolver
from corefbench.resolvers.base import BatchResolver, Resolution, Resolver

CorpusSource: TypeAlias = str | Path | bytes | Corpus


def read_text(text: str, name: str = "text", *, preprocess: str = DEFAULT) -> Discourse:
    """Pre-process raw text for a resolver.

    Text with lone surrogates, which Python makes of bytes that are not UTF-8, is refused: it could
    be neither printed nor written.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise FormatError(
            "the text is not valid Unicode", code="CB103", place=Place(document=name), found=ascii(text[error.start])
        ) from error
    analyses = make_preprocessor(preprocess).analyse([Input(name=name, text=text)])
    return build_discourse(next(iter(analyses)))


def read_discourses(
    source: CorpusSource,
    *,
    preprocess: str = DEFAULT,
    keep: Keep = "nothing",
    mentions: bool = False,
    format: str | None = None,
    reading: Reading = Reading(),
) -> Iterator[Discourse]:
    """Pre-process the documents of a file, a folder or a corpus, one after another.

    ``keep`` says which tokens and sentences of the source to keep; ``mentions`` takes the annotated
    mentions as the phrases, which keeps tokens and sentences too.
    """
    preprocessor = make_preprocessor(preprocess)
    for block in _blocks(source, format, reading):
        yield from _analyse(block, preprocessor, keep, mentions)


def resolve_each(resolver: Resolver, discourses: Iterable[Discourse]) -> Iterator[Resolution]:
    """Resolve documents one after another, or in batches if the resolver can."""
    if isinstance(resolver, BatchResolver):
        return resolver.resolve_many(discourses)
    return map(resolver.resolve, discourses)


def resolve_corpus(
    resolver: str,
    source: CorpusSource,
    *,
    preprocess: str = DEFAULT,
    keep: Keep = "nothing",
    mentions: bool = False,
    format: str | None = None,
    engine: str = "",
    jobs: int = 1,
) -> Iterator[Resolution]:
    """Read, pre-process and resolve the documents of a file, a folder or a corpus.

    ``jobs`` workers of an ``engine`` share the documents, each with its own pipeline and resolver.
    """
    make_resolver(resolver)  # report an unknown name before the work begins
    documents = (document for block in _blocks(source, format) for document in split_documents(block))
    work = partial(_resolve_document, resolver, preprocess, keep, mentions)
    return map_documents(work, documents, engine=engine, jobs=jobs)


# A worker process loads them once, not for every document.
_cached_resolver = cache(make_resolver)
_cached_preprocessor = cache(make_preprocessor)


def _resolve_document(resolver: str, preprocess: str, keep: Keep, mentions: bool, corpus: Corpus) -> Resolution:
    discourses = _analyse(corpus, _cached_preprocessor(preprocess), keep, mentions)
    (resolution,) = resolve_each(_cached_resolver(resolver), discourses)
    return resolution


def _blocks(source: CorpusSource, format: str | None, reading: Reading = Reading()) -> Iterable[Corpus]:
    if isinstance(source, Corpus):
        return [source]
    return stream(source, format=format, reading=reading)


def _analyse(corpus: Corpus, preprocessor: Preprocessor, keep: Keep, mentions: bool) -> Iterator[Discourse]:
    inputs = (make_input(document, "sentences" if mentions else keep) for document in corpus)
    for document, analysis in zip(corpus, preprocessor.analyse(inputs), strict=True):
        yield build_discourse(analysis, gold_mentions(document) if mentions else None)
