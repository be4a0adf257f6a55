"""Documents of a corpus with their own tokens and all else from a pipeline."""

from collections.abc import Iterable, Iterator

from corefbench.model.document import Document
from corefbench.preprocess import make
from corefbench.preprocess.build import discourse_of
from corefbench.preprocess.cache import Cached
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.text import Columns, Given, input_of, mentions_of

_NO_SENTENCE = 120
"""A document of one sentence that is longer than this was never cut into sentences."""


def analysed(
    documents: Iterable[Document], preprocess: str, *, gold: bool = False
) -> Iterator[tuple[Document, Discourse]]:
    """Each document as resolvers take it; ``gold`` makes the mentions of its key the phrases.

    What a pipeline made of a text is kept in the cache.
    """
    pipeline = make(preprocess)
    if pipeline.card.raw:  # others read columns of the corpus, which the cache does not look at
        pipeline = Cached(pipeline)
    for document in documents:
        analysis = next(iter(pipeline.analyse([input_of(document, given_of(document))])))
        yield document, discourse_of(analysis, mentions_of(document) if gold else None)


def given_of(document: Document) -> Given:
    """Tokens and sentences, or tokens alone where the file has no sentences, as OntoGUM's."""
    uncut = len(document.sentences) == 1 and len(document) > _NO_SENTENCE
    return "tokens" if uncut else "sentences"


def clusters_of(document: Document) -> list[list[tuple[int, int]]]:
    """The chains as spans of words, without empty nodes."""
    columns = Columns(document)
    spans = ([columns.span(*span) for span in chain] for chain in document.clusters())
    return [[(start, end) for start, end in chain if start < end] for chain in spans]
