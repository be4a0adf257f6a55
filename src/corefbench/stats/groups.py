"""Documents by genre, topic or another attribute."""

import re

import numpy as np

from corefbench.errors import UsageError
from corefbench.model.assemble import take_documents
from corefbench.model.corpus import Corpus
from corefbench.record import Flags
from corefbench.scope import group_names

_GUM = re.compile(r"(?:GUM|GENTLE|AMALGUM)_([a-z]+)_")
UNKNOWN = "unknown"
"""The genre of a document of which none is known."""


def genre_of(name: str) -> str:
    """The genre that a document's name tells: the first folder of an OntoNotes name, or the second
    word of a GUM name.

    >>> genre_of("bn/abc/00/abc_0001"), genre_of("GUM_news_iodine"), genre_of("d1")
    ('bn', 'news', 'unknown')
    """
    gum = _GUM.match(name)
    if gum:
        return gum[1]
    first, slash, _ = name.removeprefix("./").partition("/")
    return first if slash and first else UNKNOWN


def attribute(corpus: Corpus, name: str) -> list[str]:
    """What ``name`` is of each document: ``document``, or one of its columns; ``genre``, ``topic``
    and ``subtopic`` are read off the names of documents that have no such column."""
    if name not in attributes(corpus):
        raise UsageError(
            f"documents of {corpus.name} have no attribute {name!r}",
            expected=", ".join(attributes(corpus)),
        )
    column = corpus.documents.columns.get(name)
    if column is not None:
        return [value or UNKNOWN for value in column]
    if name == "genre":
        return [genre_of(document) for document in corpus.documents.names]
    if name == "document":
        return list(corpus.documents.labels())
    return group_names(corpus, "topic" if name == "topic" else "subtopic")


def attributes(corpus: Corpus) -> list[str]:
    """What documents of the corpus can be told apart by."""
    always = ("document", "genre", "topic", "subtopic")
    return list(dict.fromkeys([*always, *sorted(corpus.documents.columns)]))


def split(corpus: Corpus, name: str) -> dict[str, Corpus]:
    """The documents of each value of an attribute, as a corpus each."""
    values = np.array(attribute(corpus, name), object)
    return {value: some(corpus, values == value) for value in dict.fromkeys(values.tolist())}


def some(corpus: Corpus, which: Flags) -> Corpus:
    """The marked documents."""
    documents = np.flatnonzero(which)
    names, parts = corpus.documents.names, corpus.documents.parts
    return take_documents(corpus, documents, [(names[d], int(parts[d])) for d in documents])
