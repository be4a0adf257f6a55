"""Select and group documents by genre, topic or another attribute."""

import re
from pathlib import Path

import numpy as np

from corefbench.corpus.combine import keep_mentions, take_documents
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import group_names
from corefbench.errors import DataError, Place, UsageError
from corefbench.records import Flags, Record

_GUM = re.compile(r"(?:GUM|GENTLE|AMALGUM)_([a-z]+)_")
UNKNOWN = "unknown"
"""The genre of documents that have none."""


def genre_from_name(name: str) -> str:
    """Guess the genre from a document's name.

    It is the first folder of an OntoNotes name, or the second word of a GUM name.

    >>> [genre_from_name(name) for name in ("bn/abc/00/abc_0001", "GUM_news_iodine", "d1")]
    ['bn', 'news', 'unknown']
    """
    gum = _GUM.match(name)
    if gum:
        return gum[1]
    first, slash, _ = name.removeprefix("./").partition("/")
    return first if slash and first else UNKNOWN


def document_attribute(corpus: Corpus, name: str) -> list[str]:
    """Return the value of an attribute for each document: ``document``, or one of its columns.

    Without such columns, ``genre``, ``topic`` and ``subtopic`` are derived from document names.
    """
    if name not in attribute_names(corpus):
        raise UsageError(
            f"documents of {corpus.name} have no attribute {name!r}", expected=", ".join(attribute_names(corpus))
        )
    column = corpus.documents.columns.get(name)
    if column is not None:
        return [value or UNKNOWN for value in column]
    if name == "genre":
        return [genre_from_name(document) for document in corpus.documents.names]
    if name == "document":
        return list(corpus.documents.labels())
    return group_names(corpus, "topic" if name == "topic" else "subtopic")


def attribute_names(corpus: Corpus) -> list[str]:
    """Return the attributes that documents of the corpus can be grouped by."""
    always = ("document", "genre", "topic", "subtopic")
    return list(dict.fromkeys([*always, *sorted(corpus.documents.columns)]))


def split_documents(corpus: Corpus, name: str) -> dict[str, Corpus]:
    """Split a corpus by the values of an attribute."""
    values = np.array(document_attribute(corpus, name), object)
    return {value: select_documents(corpus, values == value) for value in dict.fromkeys(values.tolist())}


def select_documents(corpus: Corpus, keep: Flags) -> Corpus:
    """Keep the flagged documents."""
    documents = np.flatnonzero(keep)
    names, parts = corpus.documents.names, corpus.documents.parts
    return take_documents(corpus, documents, [(names[d], int(parts[d])) for d in documents])


class Selection(Record, frozen=True):
    """The values that an attribute of mentions or documents may have.

    >>> Selection.parse("topic=36,37").values == {"36", "37"}
    True
    """

    attribute: str
    values: frozenset[str]

    @classmethod
    def parse(cls, text: str) -> "Selection":
        """Parse ``NAME=VALUE,VALUE…``, or ``NAME=@FILE`` with one value per line."""
        name, equals, values = text.partition("=")
        if not (name and equals and values):
            raise UsageError("invalid selection", found=text, expected="NAME=VALUE,VALUE… or NAME=@FILE")
        allowed = _read_lines(values[1:]) if values.startswith("@") else values.split(",")
        return cls(attribute=name, values=frozenset(allowed))


def select(corpus: Corpus, selections: tuple[Selection, ...]) -> Corpus:
    """Keep the documents and mentions that satisfy all selections.

    A selection that names a column of the mentions filters mentions, any other filters documents.
    """
    for selection in selections:
        column = corpus.mentions.columns.get(selection.attribute)
        if column is not None:
            kept = [value in selection.values for value in column]
            corpus = keep_mentions(corpus, np.array(kept, np.bool_))
        elif selection.attribute in attribute_names(corpus) or len(corpus.mentions):
            values = document_attribute(corpus, selection.attribute)
            corpus = select_documents(corpus, np.array([v in selection.values for v in values], np.bool_))
    return corpus


def _read_lines(path: str) -> list[str]:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError("the list of values cannot be read", place=Place(source=path), found=str(error)) from error
    return [line.strip() for line in text.splitlines() if line.strip()]
