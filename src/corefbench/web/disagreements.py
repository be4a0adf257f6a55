"""What annotators do not say alike, in its text and in words."""

from collections.abc import Sequence

from corefbench.analysis.annotation.conflicts import Conflict, written
from corefbench.analysis.annotation.marking import text_of
from corefbench.analysis.annotation.sheets import Spot
from corefbench.model.corpus import Corpus
from corefbench.record import Record

_SENTENCES = 6
_LONG, _AROUND = 60, 15
_SPANS = 6


class Segment(Record, frozen=True):
    """Some words, and the piece that they are of; 0 for none."""

    text: str
    piece: int = 0


class Said(Record, frozen=True):
    """What an annotator says."""

    annotator: str
    words: str


class Disagreement(Record, frozen=True):
    """A conflict for people to read."""

    number: int
    kind: str
    document: str
    sentences: tuple[tuple[Segment, ...], ...]
    more: int
    """Sentences that are not shown."""
    pieces: tuple[str, ...]
    """The mentions of each piece; empty where the question is about one mention."""
    says: tuple[Said, ...]
    rule: str
    decision: str


def disagreement(conflict: Conflict, names: Sequence[str], corpus: Corpus) -> Disagreement:
    """A conflict with its sentences."""
    sentences = _sentences(conflict, corpus)
    several = conflict.kind == "chains"
    return Disagreement(
        number=conflict.number,
        kind=conflict.kind,
        document=conflict.document,
        sentences=tuple(sentences[:_SENTENCES]),
        more=max(0, len(sentences) - _SENTENCES),
        pieces=tuple(_spans(spots, corpus) for spots in conflict.spots) if several else (),
        says=tuple(
            Said(annotator=name, words=_words(conflict, number))
            for number, name in enumerate(names)
        ),
        rule=conflict.rule,
        decision=conflict.decision,
    )


def _words(conflict: Conflict, annotator: int) -> str:
    if annotator in conflict.absent:
        return "does not have the document"
    said = conflict.says[annotator]
    if conflict.kind == "mention":
        return "does not mark it" if said[0] is None else "marks it"
    left = [str(number) for number, group in enumerate(said, 1) if group is None]
    missing = f"; does not mark {', '.join(left)}" if left else ""
    return f"{written(said) or 'nothing'}{missing}"


def _spans(spots: Sequence[Spot], corpus: Corpus) -> str:
    shown = ", ".join(text_of(corpus, spot) for spot in spots[:_SPANS])
    more = len(spots) - _SPANS
    return f"{shown}, … {more} more" if more > 0 else shown


def _sentences(conflict: Conflict, corpus: Corpus) -> list[tuple[Segment, ...]]:
    """The sentences that have a piece in them, in the order of the text."""
    marks: dict[int, list[tuple[int, int, int]]] = {}
    for piece, spots in enumerate(conflict.spots, 1):
        for document, parts in spots:
            marks.setdefault(document, []).extend((start, end, piece) for start, end in parts)
    made = []
    for document in sorted(marks):
        text = corpus[document]
        for start, end in text.sentences:
            here = [mark for mark in marks[document] if mark[0] < end and mark[1] > start]
            if here:
                made.append(_segments(text.words, *_view(start, end, here), here))
    return made


def _view(start: int, end: int, marks: Sequence[tuple[int, int, int]]) -> tuple[int, int]:
    """The sentence; of a long one, what stands around its marks."""
    if end - start <= _LONG:
        return start, end
    first, last = min(mark[0] for mark in marks), max(mark[1] for mark in marks)
    return max(start, first - _AROUND), min(end, last + _AROUND)


def _segments(
    words: Sequence[str], start: int, end: int, marks: Sequence[tuple[int, int, int]]
) -> tuple[Segment, ...]:
    """Words of the same piece together; where pieces are nested, the shorter one is seen.

    >>> [(s.text, s.piece) for s in _segments(["her", "dog", "ran"], 0, 3, [(0, 2, 1), (0, 1, 2)])]
    [('her', 2), ('dog', 1), ('ran', 0)]
    """
    piece = [0] * (end - start)
    for first, last, number in sorted(marks, key=lambda mark: mark[0] - mark[1]):
        for at in range(max(first, start), min(last, end)):
            piece[at - start] = number
    made: list[Segment] = []
    begin = 0
    for at in range(1, len(piece) + 1):
        if at == len(piece) or piece[at] != piece[begin]:
            text = " ".join(words[start + begin : start + at])
            made.append(Segment(text=text, piece=piece[begin]))
            begin = at
    return tuple(made)
