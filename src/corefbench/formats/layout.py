"""The text of a document to write, and where its tokens stand in it."""

import itertools
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from corefbench.errors import UsageError
from corefbench.formats.tokenise import Span, segment, spaced, split_at_blanks
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document


def require_words(corpus: Corpus) -> None:
    """Refuse to write a corpus that has no words."""
    if corpus.tokens.words is None:
        raise UsageError("the corpus was read without its words", remedy="read it with its words")


def lay_out(
    document: Document,
    split: Callable[[str, set[int]], list[list[Span]]] = segment,
    *,
    spans: Iterable[Span] | None = None,
) -> tuple[str, list[Span]]:
    """The text and the place of every token.

    The original text, if a reader, who splits it by ``split``, finds the same tokens and sentences
    again; else the words, blanks between them and a sentence a line. ``spans`` are the spans of
    tokens that will be marked, and so break tokens; left out, those of all mentions.
    """
    text, offsets = document.text, document.offsets
    if text is not None and offsets is not None:
        if spans is None:
            spans = [part for mention in document.mentions for part in mention.parts]
        edges = {edge for span in spans for edge in _edges(offsets, span)}
        sentences = [offsets[a:b] for a, b in document.sentences if b > a]
        if split(text, edges) == sentences:
            return text, offsets
    return lay_out_words(document)


def lay_out_words(document: Document) -> tuple[str, list[Span]]:
    """The words, blanks between them and a sentence a line, and the place of every word."""
    words = document.words
    text = spaced(words[a:b] for a, b in document.sentences)
    return text, list(itertools.chain.from_iterable(split_at_blanks(text)))


def _edges(offsets: Sequence[Span], part: Span) -> Span:
    return offsets[part[0]][0], offsets[part[1] - 1][1]


def token_span(begins: Sequence[int], start: int, end: int) -> Span:
    """The tokens, given where they begin, of a span of characters whose edges break tokens.

    >>> token_span([0, 5, 9], 5, 12)
    (1, 3)
    """
    return bisect_left(begins, start), bisect_left(begins, end)


def merged(parts: Iterable[Span]) -> list[Span]:
    """The parts in order, those that touch or overlap made one.

    >>> merged([(4, 6), (0, 2), (2, 3)])
    [(0, 3), (4, 6)]
    """
    found: list[Span] = []
    for start, end in sorted(parts):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
