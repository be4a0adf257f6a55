"""Documents as text for prompts: marked mentions and overlapping windows."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Literal, TypeAlias

from corefbench.corpus.views import Document
from corefbench.errors import UsageError
from corefbench.formats.common.spans import select_nested
from corefbench.preprocess.documents import TokenColumns, make_input
from corefbench.records import Record

Span = tuple[int, int]
LabelledSpan = tuple[int, int, str]
"""Start and end of a mention, half-open, and the label of its chain."""
Notation: TypeAlias = Literal["links", "brackets"]
"""``[Ann](#1)``, as in Markdown, or the project's own ``[Ann]1``."""
UNKNOWN_LABEL = "?"
"""What stands for the number of a chain that is asked for."""
_LETTER = re.compile(r"\w")


class Passage(Record, frozen=True):
    """A document as text, with the character offsets of its words and its mentions."""

    label: str
    words: tuple[str, ...]
    text: str
    offsets: tuple[Span, ...]
    sentences: tuple[Span, ...]
    mentions: tuple[LabelledSpan, ...]
    """In opening order; labels number the chains from 1. Zeros, non-referring and repeated mentions
    are left out; gaps of discontinuous mentions are filled.
    """
    tokens: tuple[int, ...]
    """For every word its token number in the document, which includes empty nodes."""

    def text_of(self, start: int, end: int) -> str:
        """Return the text from one word to before another."""
        return self.text[self.offsets[start][0] : self.offsets[end - 1][1]] if start < end else ""

    def within(self, start: int, end: int) -> list[LabelledSpan]:
        """Return the mentions that lie between two words."""
        return [mention for mention in self.mentions if start <= mention[0] and mention[1] <= end]


def make_passage(document: Document, *, singletons: bool = True) -> Passage:
    """Return the passage of a document, with or without chains that have one mention.

    >>> from corefbench.formats.load import load
    >>> made = make_passage(load(b"[Ann]7 fed [[her]7 cat]9.", format="inline")[0])
    >>> made.text, made.mentions
    ('Ann fed her cat.', ((0, 1, '1'), (2, 4, '2'), (2, 3, '1')))
    """
    text_input = make_input(document)
    columns = TokenColumns(document)
    empty = columns.empty or [False] * len(document)
    return Passage(
        label=document.label,
        words=columns.words,
        text=text_input.text,
        offsets=text_input.offsets or (),
        sentences=columns.sentences(),
        mentions=_passage_mentions(document, columns, singletons),
        tokens=tuple(number for number, is_empty in enumerate(empty) if not is_empty),
    )


def _passage_mentions(document: Document, columns: TokenColumns, singletons: bool) -> tuple[LabelledSpan, ...]:
    referring = document.corpus.mentions.referring
    spans: dict[Span, int] = {}
    for mention in document.mentions:
        start, end = columns.span(mention.start, mention.end)
        if start < end and (referring is None or referring[mention.index]):
            spans.setdefault((start, end), mention.chain.index)
    if not singletons:
        sizes = Counter(spans.values())
        spans = {span: chain for span, chain in spans.items() if sizes[chain] > 1}
    # Numbered as the document has them, which with empty nodes is not always the order of the words.
    return tuple(sorted(number_chains((*span, chain) for span, chain in spans.items()), key=text_order))


def text_order(mention: tuple[int, int, *tuple[str, ...]]) -> tuple[int, int]:
    """Sort key: by start, longer mentions first."""
    return mention[0], -mention[1]


def number_chains(mentions: Iterable[tuple[int, int, Hashable]]) -> list[LabelledSpan]:
    """Label chains ``1``, ``2`` … in order of appearance.

    >>> number_chains([(0, 1, "b"), (2, 3, "a"), (4, 5, "b")])
    [(0, 1, '1'), (2, 3, '2'), (4, 5, '1')]
    """
    numbers: dict[Hashable, str] = {}
    return [(start, end, numbers.setdefault(chain, str(len(numbers) + 1))) for start, end, chain in mentions]


def mark_mentions(passage: Passage, start: int, end: int, mentions: Sequence[LabelledSpan], notation: Notation) -> str:
    """Return the words from ``start`` to before ``end``, with these mentions marked.

    Brackets cannot cross: of two mentions that do, the later is left out.

    >>> from corefbench.formats.load import load
    >>> from corefbench.llm.passage import make_passage
    >>> ann = make_passage(load(b"[Ann]7 fed [[her]7 cat]9.", format="inline")[0])
    >>> mark_mentions(ann, 0, 5, ann.mentions, "links")
    '[Ann](#1) fed [[her](#1) cat](#2).'
    >>> mark_mentions(ann, 2, 4, ann.mentions[1:], "brackets")
    '[[her]1 cat]2'
    """
    kept = [mentions[number] for number in select_nested([mention[:2] for mention in mentions])]
    opening: dict[int, int] = {}
    closing: dict[int, list[str]] = {}
    for first, last, label in kept:
        begin, finish = passage.offsets[first][0], passage.offsets[last - 1][1]
        opening[begin] = opening.get(begin, 0) + 1
        # Of mentions that end together, the inner one closes first.
        closing.setdefault(finish, []).insert(0, label)
    text, pieces = passage.text, list[str]()
    done_until, last_place = passage.offsets[start][0], passage.offsets[end - 1][1]
    for position in sorted({*opening, *closing}):
        pieces.append(escape_brackets(text[done_until:position]))
        following = "[" if position in opening else text[position : position + 1]
        pieces += [_closing_mark(label, following, notation) for label in closing.get(position, ())]
        pieces.append("[" * opening.get(position, 0))
        done_until = position
    return "".join((*pieces, escape_brackets(text[done_until:last_place])))


def escape_brackets(text: str) -> str:
    r"""Escape brackets, so that they are not read as marks.

    >>> escape_brackets("see [1]")
    'see \\[1\\]'
    """
    return re.sub(r"([\[\]\\])", r"\\\1", text)


def _closing_mark(label: str, following: str, notation: Notation) -> str:
    if notation == "links":
        return f"](#{label})"
    return f"]{{{label}}}" if label == UNKNOWN_LABEL or _LETTER.match(following) else f"]{label}"


def cut_windows(length: int, sentences: Sequence[Span], size: int, overlap: int) -> list[Span]:
    """Cut a document into windows of at most ``size`` words with about ``overlap`` words overlap.

    A window ends with a sentence if one ends in its second half, and begins with the first sentence
    of the overlap, if one begins there. Size 0 is the whole document.

    >>> cut_windows(10, [(0, 4), (4, 7), (7, 10)], 8, 3)
    [(0, 7), (4, 10)]
    >>> cut_windows(10, [(0, 10)], 6, 2), cut_windows(10, [(0, 10)], 0, 0)
    ([(0, 6), (4, 10)], [(0, 10)])
    """
    if size < 0 or overlap < 0 or (size and overlap >= size):
        raise UsageError(
            "invalid window size or overlap",
            found=f"windows of {size} words that overlap by {overlap}",
            expected="a size, and an overlap smaller than it",
        )
    if not size or length <= size:
        return [(0, length)] if length else []
    begins = [start for start, _ in sentences]
    windows: list[Span] = []
    start = before = 0
    while True:
        end = start + size
        if end >= length:
            return [*windows, (start, length)]
        end = before = _last_start(begins, max(start + size // 2, before), end) or end
        windows.append((start, end))
        start = _first_start(begins, max(end - overlap, start + 1), end) or max(end - overlap, start + 1)


def _last_start(begins: Sequence[int], low: int, high: int) -> int | None:
    """Return the last sentence that begins after ``low`` and not after ``high``."""
    index = bisect_right(begins, high) - 1
    return begins[index] if index >= 0 and begins[index] > low else None


def _first_start(begins: Sequence[int], low: int, high: int) -> int | None:
    """Return the first sentence that begins not before ``low``, and before ``high``."""
    index = bisect_left(begins, low)
    return begins[index] if index < len(begins) and begins[index] < high else None
