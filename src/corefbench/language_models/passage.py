"""A document as a language model sees it: typed text, and the mentions that refer."""

from collections import Counter
from collections.abc import Iterable

from corefbench.model.document import Document
from corefbench.preprocess.text import Columns, input_of
from corefbench.record import Record

Span = tuple[int, int]
Labelled = tuple[int, int, str]
"""Start and end of a mention, half-open, and the label of its chain."""


class Passage(Record, frozen=True):
    """A document: its words, its text, and where each word stands in it."""

    label: str
    words: tuple[str, ...]
    text: str
    offsets: tuple[Span, ...]
    sentences: tuple[Span, ...]
    mentions: tuple[Labelled, ...]
    """In opening order; labels count the chains from 1. Zeros, non-referring and repeated mentions
    are left out; a discontinuous mention is what it spans."""
    tokens: tuple[int, ...]
    """For every word its number in the document, which counts empty nodes too."""

    def text_of(self, start: int, end: int) -> str:
        """The text from one word to before another."""
        return self.text[self.offsets[start][0] : self.offsets[end - 1][1]] if start < end else ""

    def within(self, start: int, end: int) -> list[Labelled]:
        """The mentions that lie between two words."""
        return [mention for mention in self.mentions if start <= mention[0] and mention[1] <= end]


def passage_of(document: Document, *, singletons: bool = True) -> Passage:
    """The passage of a document, with or without chains that have one mention.

    >>> from corefbench.formats.load import load
    >>> made = passage_of(load(b"[Ann]7 fed [[her]7 cat]9.", format="inline")[0])
    >>> made.text, made.mentions
    ('Ann fed her cat.', ((0, 1, '1'), (2, 4, '2'), (2, 3, '1')))
    """
    given = input_of(document)
    columns = Columns(document)
    empty = columns.empty or [False] * len(document)
    return Passage(
        label=document.label,
        words=columns.words,
        text=given.text,
        offsets=given.offsets or (),
        sentences=columns.sentences(),
        mentions=_mentions(document, columns, singletons),
        tokens=tuple(number for number, is_empty in enumerate(empty) if not is_empty),
    )


def _mentions(document: Document, columns: Columns, singletons: bool) -> tuple[Labelled, ...]:
    referring = document.corpus.mentions.referring
    spans: dict[Span, int] = {}
    for mention in document.mentions:
        start, end = columns.span(mention.start, mention.end)
        if start < end and (referring is None or referring[mention.index]):
            spans.setdefault((start, end), mention.chain.index)
    if not singletons:
        sizes = Counter(spans.values())
        spans = {span: chain for span, chain in spans.items() if sizes[chain] > 1}
    numbers = _numbered(spans.values())
    order = sorted(spans, key=lambda span: (span[0], -span[1]))
    return tuple((*span, numbers[spans[span]]) for span in order)


def _numbered(chains: Iterable[int]) -> dict[int, str]:
    """Chains, in the order in which they are met, as ``1``, ``2`` …"""
    return {chain: str(number) for number, chain in enumerate(dict.fromkeys(chains), 1)}
