"""Sentences with the spans that a question is about marked in them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from corefbench.analysis.annotation.sheets import Spot
from corefbench.model.corpus import Corpus

_MOST_SENTENCES = 12
_LONG = 60
_AROUND = 15
"""Of sentences longer than this, so many words are shown around each mark."""


def text_of(corpus: Corpus, spot: Spot) -> str:
    """The words of a span, its parts joined by an ellipsis."""
    document, parts = spot
    words, _ = _text(corpus, document)
    return " … ".join(" ".join(words[start:end]) for start, end in parts)


def marked_sentences(
    corpus: Corpus, pieces: Sequence[Sequence[Spot]], *, numbered: bool
) -> Iterator[str]:
    """The sentences in which spans begin or go on, in order; ``[2 her]`` is of the second piece.

    Of many sentences the first are shown, and how many there are more.
    """
    marks: dict[int, list[tuple[int, int, str]]] = {}
    for number, spots in enumerate(pieces, 1):
        for document, parts in spots:
            sign = f"[{number} " if numbered else "["
            marks.setdefault(document, []).extend((start, end, sign) for start, end in parts)
    shown = 0
    for document in sorted(marks):
        words, sentences = _text(corpus, document)
        for start, end in sentences:
            here = [mark for mark in marks[document] if mark[0] < end and mark[1] > start]
            for first, last in _views(start, end, here):
                shown += 1
                if shown <= _MOST_SENTENCES:
                    before, after = "… " * (first > start), " …" * (last < end)
                    yield before + _marked(words, first, last, here) + after
    if shown > _MOST_SENTENCES:
        yield f"… and {shown - _MOST_SENTENCES} sentences more"


def _views(
    start: int, end: int, marks: Sequence[tuple[int, int, str]]
) -> Iterator[tuple[int, int]]:
    """The sentence; of a long one, what stands around its marks.

    >>> list(_views(0, 99, [(3, 4, "["), (9, 30, "["), (80, 81, "[")]))
    [(0, 45), (65, 96)]
    """
    if end - start <= _LONG and marks:
        yield start, end
        return
    views: list[tuple[int, int]] = []
    for first, last, _ in sorted(marks):
        a, b = max(first - _AROUND, start), min(last + _AROUND, end)
        if views and a <= views[-1][1]:
            a, b = views[-1][0], max(views.pop()[1], b)
        views.append((a, b))
    yield from views


@lru_cache(maxsize=2)
def _text(corpus: Corpus, document: int) -> tuple[list[str], list[tuple[int, int]]]:
    """Words and sentences; a document has many conflicts, one after the other."""
    return corpus[document].words, corpus[document].sentences


def _marked(
    words: Sequence[str], start: int, end: int, marks: Sequence[tuple[int, int, str]]
) -> str:
    opening: dict[int, list[str]] = {}
    closing: dict[int, int] = {}
    inside = (mark for mark in marks if mark[0] < end and mark[1] > start)
    for first, last, sign in sorted(inside, key=lambda mark: (mark[0], -mark[1])):
        opening.setdefault(max(first, start), []).append(sign)
        closing[min(last, end) - 1] = closing.get(min(last, end) - 1, 0) + 1
    return " ".join(
        "".join(opening.get(place, ())) + words[place] + "]" * closing.get(place, 0)
        for place in range(start, end)
    )
