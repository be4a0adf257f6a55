"""Heads for mentions that a model marked, where the source has heads: some profiles match by them.

Marks say nothing of heads. Of a span that is a mention of the source its head is taken, of another
the first word that the tree hangs from outside, without a tree the last word.
"""

from corefbench.model.corpus import Corpus
from corefbench.model.strings import Strings
from corefbench.record import Ints

_BLANK = ("", "_", "-")


def head_column(source: Corpus, spans: list[tuple[int, int, int]]) -> list[int] | None:
    """The heads of spans, each a document, a start and an end; None where the source has none.

    >>> from corefbench.formats.load import load
    >>> head_column(load(b"[Ann]1 ran.", format="inline"), [(0, 0, 1)]) is None
    True
    """
    if source.mentions.head is None:
        return None
    known = _known(source, source.mentions.head)
    columns = [source.tokens.columns.get(name) for name in ("id", "head", "deprel")]
    found = []
    for document, start, end in spans:
        head = known.get((document, start, end), -1)
        if head < 0 and None not in columns:
            first = int(source.tokens.offsets[document])
            head = _in_tree(columns, first + start, first + end) - first  # type: ignore[arg-type]
        found.append(head if start <= head < end else end - 1)
    return found


def _known(source: Corpus, heads: Ints) -> dict[tuple[int, int, int], int]:
    mentions = source.mentions
    spans = zip(
        mentions.document.tolist(), mentions.start.tolist(), mentions.end.tolist(), strict=True
    )
    return dict(zip(spans, heads.tolist(), strict=True))


def _in_tree(columns: list[Strings], start: int, end: int) -> int:
    """The first word whose governor is outside; -1 where the tree says nothing."""
    own, governors, relations = (column.slice(start, end) for column in columns)
    inside = set(own)
    for place, (governor, relation) in enumerate(zip(governors, relations, strict=True)):
        if governor not in _BLANK and relation not in _BLANK and governor not in inside:
            return start + place
    return -1
