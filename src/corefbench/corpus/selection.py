"""Select documents and mentions of a corpus by their attributes: ``topic=36,37``, ``kind=event``."""

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from corefbench.corpus.combine import keep_mentions, take_documents
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.scope import group_names
from corefbench.errors import DataError, Place, UsageError
from corefbench.records import Flags, Record

_GUM = re.compile(r"(?:GUM|GENTLE|AMALGUM)_([a-z]+)_")
_SEPARATOR = ";"
UNKNOWN = "unknown"
"""The value of an attribute for documents that have none."""


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

    def __str__(self) -> str:
        return f"{self.attribute}={','.join(sorted(self.values))}"

    def is_about_mentions(self, corpus: Corpus) -> bool:
        """Whether the attribute is a column of the mentions; any other is one of documents."""
        return self.attribute in corpus.mentions.columns

    def matching_mentions(self, corpus: Corpus) -> Flags:
        """Return which mentions have one of the values."""
        return np.array([value in self.values for value in corpus.mentions.columns[self.attribute]], np.bool_)

    def matching_documents(self, corpus: Corpus) -> Flags:
        """Return which documents have one of the values."""
        if self.attribute not in attribute_names(corpus) and not len(corpus.mentions):
            # A block without mentions has no columns of them: there an unknown name is no error.
            return np.ones(len(corpus), np.bool_)
        return np.array([value in self.values for value in document_attribute(corpus, self.attribute)], np.bool_)


def parse_selections(text: str) -> tuple[Selection, ...]:
    """Parse selections that are separated by semicolons, as a signature has them.

    >>> [selection.attribute for selection in parse_selections("kind=event;topic=36")]
    ['kind', 'topic']
    """
    return tuple(Selection.parse(part) for part in text.split(_SEPARATOR) if part)


def join_selections(texts: Iterable[str]) -> str | None:
    """Return selections as one string with their values sorted and files of values read; None without any.

    >>> join_selections(["topic=37,36", "kind=event"])
    'topic=36,37;kind=event'
    """
    return _SEPARATOR.join(str(selection) for text in texts for selection in parse_selections(text)) or None


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


def select(corpus: Corpus, selections: tuple[Selection, ...]) -> Corpus:
    """Keep the documents and mentions that satisfy all selections.

    A selection that names a column of the mentions filters mentions, any other filters documents.
    """
    for selection in selections:
        if selection.is_about_mentions(corpus):
            corpus = keep_mentions(corpus, selection.matching_mentions(corpus))
        else:
            corpus = take_documents(corpus, np.flatnonzero(selection.matching_documents(corpus)))
    return corpus


def select_pair(key: Corpus, response: Corpus, selections: tuple[Selection, ...]) -> tuple[Corpus, Corpus]:
    """Select in key and response, which have the same documents in the same order.

    The key decides which documents are kept. Mentions of a response that does not record the
    attribute are all kept: a response of events need not say that it has events.
    """
    for selection in selections:
        if not selection.is_about_mentions(key):
            wanted = np.flatnonzero(selection.matching_documents(key))
            key, response = take_documents(key, wanted), take_documents(response, wanted)
            continue
        key = keep_mentions(key, selection.matching_mentions(key))
        if selection.is_about_mentions(response):
            response = keep_mentions(response, selection.matching_mentions(response))
    return key, response


def _read_lines(path: str) -> list[str]:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError("the list of values cannot be read", place=Place(source=path), found=str(error)) from error
    return [line.strip() for line in text.splitlines() if line.strip()]
