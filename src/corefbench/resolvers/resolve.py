"""From a text, a file or a corpus to resolutions: what ``corefbench resolve`` does."""

from collections.abc import Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

from corefbench.engine import map_documents
from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.load import stream
from corefbench.model.assemble import single_documents
from corefbench.model.corpus import Corpus
from corefbench.preprocess import DEFAULT
from corefbench.preprocess import make as make_preprocessor
from corefbench.preprocess.base import Input, Preprocessor
from corefbench.preprocess.build import discourse_of
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.text import Given, input_of, mentions_of
from corefbench.resolvers import make as make_resolver
from corefbench.resolvers.base import BatchResolver, Resolver
from corefbench.resolvers.resolution import Resolution

Where: TypeAlias = str | Path | bytes | Corpus


def read_text(text: str, name: str = "text", *, preprocess: str = DEFAULT) -> Discourse:
    """Raw text, pre-processed: what a resolver takes.

    Text with half a surrogate pair, which is what Python makes of bytes that are not UTF-8, is
    refused: it could be neither printed nor written.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise FormatError(
            "the text is not valid Unicode",
            code="CB103",
            place=Place(document=name),
            found=ascii(text[error.start]),
        ) from error
    analyses = make_preprocessor(preprocess).analyse([Input(name=name, text=text)])
    return discourse_of(next(iter(analyses)))


def discourses(
    where: Where,
    *,
    preprocess: str = DEFAULT,
    given: Given = "nothing",
    mentions: bool = False,
    format: str | None = None,
    reading: Reading = Reading(),
) -> Iterator[Discourse]:
    """The documents of a file, a folder or a corpus, pre-processed one after another.

    ``given`` says what to keep of their tokens and sentences, ``mentions`` takes their mentions as
    the phrases, which keeps the tokens too.
    """
    preprocessor = make_preprocessor(preprocess)
    keep: Given = "sentences" if mentions else given
    blocks = [where] if isinstance(where, Corpus) else stream(where, format=format, reading=reading)
    for block in blocks:
        yield from _analysed(block, preprocessor, keep, mentions)


def resolve_each(resolver: Resolver, found: Iterable[Discourse]) -> Iterator[Resolution]:
    """The documents resolved one after another; several at a time by resolvers that can."""
    if isinstance(resolver, BatchResolver):
        return resolver.resolve_many(found)
    return map(resolver.resolve, found)


def resolve_shared(
    resolver: str,
    where: Where,
    *,
    preprocess: str = DEFAULT,
    given: Given = "nothing",
    mentions: bool = False,
    format: str | None = None,
    engine: str = "",
    jobs: int = 1,
) -> Iterator[Resolution]:
    """The documents of a file, a folder or a corpus, read, pre-processed and resolved; ``jobs``
    workers of an ``engine`` share them, and each has a pipeline and a resolver of its own."""
    make_resolver(resolver)  # a name that is not known is said before the work begins
    blocks = [where] if isinstance(where, Corpus) else stream(where, format=format)
    single = (one for block in blocks for one in single_documents(block))
    work = partial(_resolved, resolver, preprocess, given, mentions)
    return map_documents(work, single, engine=engine, jobs=jobs)


def _resolved(
    resolver: str, preprocess: str, given: Given, mentions: bool, corpus: Corpus
) -> Resolution:
    keep: Given = "sentences" if mentions else given
    found = _analysed(corpus, _kept_preprocessor(preprocess), keep, mentions)
    (resolution,) = resolve_each(_kept_resolver(resolver), found)
    return resolution


_kept_resolver = cache(make_resolver)
_kept_preprocessor = cache(make_preprocessor)
"""A worker loads them once."""


def _analysed(
    corpus: Corpus, preprocessor: Preprocessor, given: Given, mentions: bool
) -> Iterator[Discourse]:
    inputs = (input_of(document, given) for document in corpus)
    for document, analysis in zip(corpus, preprocessor.analyse(inputs), strict=True):
        yield discourse_of(analysis, mentions_of(document) if mentions else None)
