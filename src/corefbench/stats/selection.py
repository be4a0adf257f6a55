"""``topic=36,37``, ``kind=event``, ``document=@FILE``: which documents or mentions to count."""

from pathlib import Path

import numpy as np

from corefbench.errors import DataError, Place, UsageError
from corefbench.model.assemble import keep_mentions
from corefbench.model.corpus import Corpus
from corefbench.record import Record
from corefbench.stats.groups import attribute, attributes, some


class Selection(Record, frozen=True):
    """The values that an attribute of mentions or of documents may have.

    >>> Selection.parse("topic=36,37").values == {"36", "37"}
    True
    """

    attribute: str
    values: frozenset[str]

    @classmethod
    def parse(cls, text: str) -> "Selection":
        """``NAME=VALUE,VALUE…``, or ``NAME=@FILE`` with a value a line."""
        name, equals, values = text.partition("=")
        if not (name and equals and values):
            raise UsageError(
                "a selection cannot be read",
                found=text,
                expected="NAME=VALUE,VALUE… or NAME=@FILE",
            )
        given = _lines(values[1:]) if values.startswith("@") else values.split(",")
        return cls(attribute=name, values=frozenset(given))


def select(corpus: Corpus, selections: tuple[Selection, ...]) -> Corpus:
    """The documents and the mentions that satisfy every selection. One that names a column of the
    mentions keeps mentions, any other keeps documents."""
    for selection in selections:
        column = corpus.mentions.columns.get(selection.attribute)
        if column is not None:
            kept = [value in selection.values for value in column]
            corpus = keep_mentions(corpus, np.array(kept, np.bool_))
        elif selection.attribute in attributes(corpus) or len(corpus.mentions):
            values = attribute(corpus, selection.attribute)
            corpus = some(corpus, np.array([v in selection.values for v in values], np.bool_))
    return corpus


def _lines(path: str) -> list[str]:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            "the list of values cannot be read", place=Place(source=path), found=str(error)
        ) from error
    return [line.strip() for line in text.splitlines() if line.strip()]
