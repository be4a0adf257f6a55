"""Conflicts between annotations: find them, write them to a file, read the decisions back.

A *mention* conflict is a span that some mark and others do not. A *chains* conflict is a family of
pieces (spans that every annotator treats alike) that one annotator puts together and another keeps
apart. Families are disjoint, so no two decisions can contradict each other.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

from corefbench.analysis.annotation.annotations import (
    ABSENT,
    UNMARKED,
    DocumentSpan,
    SpanTable,
    annotator_letter,
    format_span,
)
from corefbench.analysis.annotation.voting import Piece, connect_pieces
from corefbench.corpus.corpus import Corpus
from corefbench.errors import DataError, FormatError, MismatchError, Place
from corefbench.records import Record

_MAX_SENTENCES = 12
_LONG_SENTENCE = 60
_CONTEXT_WORDS = 15
"""Of longer sentences, this many words are shown around each mark."""
Kind: TypeAlias = Literal["mention", "chains"]
Grouping: TypeAlias = tuple[int | None, ...]
"""The group of each piece; None if undecided."""
FILE_HEADER = "# Conflicts between annotations: answer them and give the file back with --decisions."
ANNOTATIONS_PREFIX = "# annotations: "
CONFLICT_PREFIX = "== conflict "
DECISION_PREFIX = "decision:"
_INSTRUCTIONS = (
    "# mention: keep or drop.",
    "# chains: the letter of the annotator who is right, or the pieces of each chain: 1 3 | 2.",
    "# ? leaves it to the rule. Only the lines that begin with decision: are read back.",
)
_MAX_SPANS = 8
_CONFLICT = re.compile(rf"{re.escape(CONFLICT_PREFIX)}(\d+): (mention|chains)\b")
_WRITE_AGAIN = "write the conflicts again with --conflicts, and answer the new file"


class Conflict(Record, frozen=True):
    """One question for the adjudicator."""

    number: int
    """Counted from 1 over all documents, in text order."""
    kind: Kind
    document: str
    pieces: tuple[tuple[DocumentSpan, ...], ...]
    """The spans of each piece; of a mention conflict, the one span."""
    groupings: tuple[Grouping, ...]
    """For each annotator, the chain of each piece, numbered from 1; None if not marked."""
    absent: tuple[int, ...] = ()
    """Annotators who do not have the document."""
    rule: str = ""
    """The decision of the rule: keep or drop, or the pieces of each chain, such as ``1 3 | 2``."""
    decision: str = ""
    """The decision of the adjudicator, if any; it overrides the rule."""


class Question(Record, frozen=True):
    """A conflict before it is numbered: the rows of the table that it is about."""

    kind: Kind
    family: tuple[Piece, ...]


def find_questions(table: SpanTable) -> Iterator[Question]:
    """Yield the conflicts of one table: mentions first, then chains, each in text order."""
    for row, chains in enumerate(table.chains.tolist()):
        if UNMARKED in chains:
            yield Question(kind="mention", family=(Piece(rows=(row,), chains=tuple(chains)),))
    for family in connect_pieces(table):
        if len(family) > 1 and _is_disputed(family):
            yield Question(kind="chains", family=family)


def _is_disputed(family: Sequence[Piece]) -> bool:
    """Whether some chain of one annotator has pieces of several chains of another."""
    first_chain: dict[tuple[int, int, int], int] = {}
    return any(
        first_chain.setdefault((annotator, chain, other), other_chain) != other_chain
        for piece in family
        for annotator, chain in piece.marked
        for other, other_chain in piece.marked
    )


def make_conflict(table: SpanTable, question: Question, number: int, rule: str) -> Conflict:
    """Return the conflict of a question, with its number, its spans, and what the rule decides."""
    family = question.family
    columns = list(zip(*(piece.chains for piece in family), strict=True))
    return Conflict(
        number=number,
        kind=question.kind,
        document=table.label,
        pieces=tuple(tuple(table.spans[row] for row in piece.rows) for piece in family),
        groupings=tuple(map(_number_chains, columns)),
        absent=tuple(n for n, column in enumerate(columns) if all(c == ABSENT for c in column)),
        rule=rule,
    )


def _number_chains(chains: Sequence[int]) -> Grouping:
    """Number chains from 1 in order of appearance.

    >>> _number_chains([7, -1, 4, 7])
    (1, None, 2, 1)
    """
    numbers: dict[int, int] = {}
    return tuple(None if c < 0 else numbers.setdefault(c, len(numbers) + 1) for c in chains)


def format_grouping(grouping: Sequence[int | None]) -> str:
    """Format a grouping: pieces are counted from 1; undecided ones are left out.

    >>> format_grouping([1, 2, 1, None])
    '1 3 | 2'
    """
    groups: dict[int, list[str]] = {}
    for number, group in enumerate(grouping, 1):
        if group is not None:
            groups.setdefault(group, []).append(str(number))
    return " | ".join(map(" ".join, groups.values()))


def format_conflicts(conflicts: Sequence[Conflict], names: Sequence[str], base: Corpus, digest: str) -> Iterator[str]:
    """Yield the lines of the conflict file."""
    yield FILE_HEADER
    yield from _INSTRUCTIONS
    for number, name in enumerate(names):
        yield f"# {annotator_letter(number)} = {name}"
    yield f"{ANNOTATIONS_PREFIX}{digest}"
    for conflict in conflicts:
        is_mention = conflict.kind == "mention"
        what = (
            f"mention {format_span(conflict.pieces[0][0][1])}"
            if is_mention
            else f"chains of {len(conflict.pieces)} pieces"
        )
        yield ""
        yield f"{CONFLICT_PREFIX}{conflict.number}: {what} in {conflict.document}"
        yield from (f"  | {line}" for line in mark_sentences(base, conflict.pieces, numbered=not is_mention))
        if not is_mention:
            yield from (f"  {number}: {_list_spans(spans, base)}" for number, spans in enumerate(conflict.pieces, 1))
        for number in range(len(names)):
            yield f"  {annotator_letter(number)} {_describe_statement(conflict, number)}"
        yield f"  rule: {conflict.rule}"
        yield f"{DECISION_PREFIX} {conflict.decision or '?'}"


def _describe_statement(conflict: Conflict, annotator: int) -> str:
    """Say what an annotator did with the spans of a conflict."""
    grouping = conflict.groupings[annotator]
    if annotator in conflict.absent:
        return "does not have the document"
    if conflict.kind == "mention":
        return "does not mark it" if grouping[0] is None else "marks it"
    unmarked = [str(number) for number, group in enumerate(grouping, 1) if group is None]
    missing = f"; does not mark {' '.join(unmarked)}" if unmarked else ""
    return f"says {format_grouping(grouping) or 'nothing'}{missing}"


def _list_spans(spans: Sequence[DocumentSpan], base: Corpus) -> str:
    listed = [f"{span_text(base, span)} ({format_span(span[1])})" for span in spans[:_MAX_SPANS]]
    hidden = len(spans) - len(listed)
    return ", ".join(listed) + (f", … {hidden} more" if hidden else "")


def span_text(corpus: Corpus, span: DocumentSpan) -> str:
    """Return the words of a span, its parts joined by an ellipsis."""
    document, parts = span
    words, _ = _document_text(corpus, document)
    return " … ".join(" ".join(words[start:end]) for start, end in parts)


def mark_sentences(corpus: Corpus, pieces: Sequence[Sequence[DocumentSpan]], *, numbered: bool) -> Iterator[str]:
    """Yield the sentences that contain spans, which are marked; ``[2 her]`` is of piece 2.

    Of many sentences the first are shown, and the number of the others.
    """
    marks: dict[int, list[tuple[int, int, str]]] = {}
    for number, spans in enumerate(pieces, 1):
        for document, parts in spans:
            opening = f"[{number} " if numbered else "["
            marks.setdefault(document, []).extend((start, end, opening) for start, end in parts)
    shown = 0
    for document in sorted(marks):
        words, sentences = _document_text(corpus, document)
        for start, end in sentences:
            marks_in_sentence = [mark for mark in marks[document] if mark[0] < end and mark[1] > start]
            for first, last in _excerpts(start, end, marks_in_sentence):
                shown += 1
                if shown <= _MAX_SENTENCES:
                    before, after = "… " * (first > start), " …" * (last < end)
                    yield before + _mark_excerpt(words, first, last, marks_in_sentence) + after
    if shown > _MAX_SENTENCES:
        yield f"… and {shown - _MAX_SENTENCES} sentences more"


def _excerpts(start: int, end: int, marks: Sequence[tuple[int, int, str]]) -> Iterator[tuple[int, int]]:
    """Yield the whole sentence, or of a long one the words around its marks.

    >>> list(_excerpts(0, 99, [(3, 4, "["), (9, 30, "["), (80, 81, "[")]))
    [(0, 45), (65, 96)]
    """
    if end - start <= _LONG_SENTENCE and marks:
        yield start, end
        return
    views: list[tuple[int, int]] = []
    for first, last, _ in sorted(marks):
        a, b = max(first - _CONTEXT_WORDS, start), min(last + _CONTEXT_WORDS, end)
        if views and a <= views[-1][1]:
            a, b = views[-1][0], max(views.pop()[1], b)
        views.append((a, b))
    yield from views


@lru_cache(maxsize=2)
def _document_text(corpus: Corpus, document: int) -> tuple[list[str], list[tuple[int, int]]]:
    # Cached: the conflicts of a document follow one another.
    return corpus[document].words, corpus[document].sentences


def _mark_excerpt(words: Sequence[str], start: int, end: int, marks: Sequence[tuple[int, int, str]]) -> str:
    opening: dict[int, list[str]] = {}
    closing: dict[int, int] = {}
    inside = (mark for mark in marks if mark[0] < end and mark[1] > start)
    for first, last, opening_mark in sorted(inside, key=lambda mark: (mark[0], -mark[1])):
        opening.setdefault(max(first, start), []).append(opening_mark)
        closing[min(last, end) - 1] = closing.get(min(last, end) - 1, 0) + 1
    return " ".join(
        "".join(opening.get(position, ())) + words[position] + "]" * closing.get(position, 0)
        for position in range(start, end)
    )


def read_decisions(path: str | Path, digest: str, conflicts: Sequence[Conflict]) -> dict[int, str]:
    """Read the decisions by conflict number; conflicts left at ``?`` are omitted."""
    try:
        # Some editors save text with a byte order mark.
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            "the decision file cannot be read",
            place=Place(source=str(path)),
            found=getattr(error, "strerror", None) or str(error),
        ) from error
    _check_origin(lines, str(path), digest)
    answers = _parse_answers(lines, str(path), {conflict.number: conflict for conflict in conflicts})
    return {number: text for number, text in answers.items() if text != "?"}


def _check_origin(lines: Sequence[str], source: str, digest: str) -> None:
    for number, line in enumerate(lines, 1):
        if line.startswith(ANNOTATIONS_PREFIX):
            if line.removeprefix(ANNOTATIONS_PREFIX).strip() != digest:
                raise MismatchError(
                    "the decisions were made for other annotations",
                    code="CB236",
                    place=Place(source=source, line=number),
                    found=line.removeprefix(ANNOTATIONS_PREFIX).strip(),
                    expected=digest,
                    remedy="give the same annotations in the same order, or " + _WRITE_AGAIN,
                )
            return
    raise FormatError(
        "this is not a conflict file",
        code="CB235",
        place=Place(source=source, line=1),
        found=lines[0][:60] if lines else "nothing",
        expected=f"{FILE_HEADER!r} and a line that begins with {ANNOTATIONS_PREFIX.strip()!r}",
        remedy=_WRITE_AGAIN,
    )


def _parse_answers(lines: Sequence[str], source: str, conflicts: Mapping[int, Conflict]) -> dict[int, str]:
    answers: dict[int, str] = {}
    current = 0
    for number, line in enumerate(lines, 1):
        place = Place(source=source, line=number)
        if line.startswith("=="):
            match = _CONFLICT.match(line)
            current = int(match[1]) if match else 0
            if match is None or current not in conflicts or conflicts[current].kind != match[2]:
                raise FormatError(
                    "there is no such conflict",
                    code="CB235",
                    place=place,
                    found=line,
                    expected=f"the lines {CONFLICT_PREFIX.strip()!r} as they were written, 1 to {len(conflicts)}",
                    remedy=_WRITE_AGAIN,
                )
        elif line.strip().lower().startswith(DECISION_PREFIX):
            if not current or current in answers:
                raise FormatError(
                    "a decision is outside a conflict, or a conflict has two decisions",
                    code="CB235",
                    place=place,
                    found=line,
                    expected=f"one line {DECISION_PREFIX!r} under each line {CONFLICT_PREFIX + 'N'!r}",
                    remedy="keep one of them",
                )
            text = line.strip()[len(DECISION_PREFIX) :].strip()
            answers[current] = _check_answer(conflicts[current], text, place)
    return answers


def _check_answer(conflict: Conflict, text: str, place: Place) -> str:
    """Validate and normalize a decision."""
    if text in ("", "?"):
        return "?"
    if conflict.kind == "mention":
        if text.lower() not in ("keep", "drop"):
            raise _invalid_decision(text, place, "keep, drop or ?")
        return text.lower()
    parse_grouping(conflict, text, place)
    return text.upper() if text.isalpha() else text


def parse_grouping(conflict: Conflict, text: str, place: Place = Place()) -> Grouping:
    """Parse the decision of a chains conflict.

    >>> pieces = (((0, ((0, 1),)),), ((0, ((2, 3),)),), ((0, ((4, 5),)),))
    >>> two = Conflict(number=1, kind="chains", document="d", pieces=pieces,
    ...                groupings=((1, 1, 2), (1, 2, None)))
    >>> parse_grouping(two, "1 3 | 2"), parse_grouping(two, "b")
    ((1, 2, 1), (1, 2, None))
    """
    letters = [annotator_letter(number) for number in range(len(conflict.groupings))]
    if text.upper() in letters:
        return conflict.groupings[letters.index(text.upper())]
    count = len(conflict.pieces)
    expected = f"{', '.join(letters)}, each of the pieces 1 to {count} once as in 1 | 2, or ?"
    groups: dict[int, int] = {}
    for group, part in enumerate(text.split("|"), 1):
        for word in part.replace(",", " ").split():
            number = int(word) if word.isdecimal() else 0
            if not 1 <= number <= count or number in groups:
                raise _invalid_decision(text, place, expected)
            groups[number] = group
    if len(groups) < count:
        raise _invalid_decision(text, place, expected)
    return tuple(groups[number] for number in range(1, count + 1))


def _invalid_decision(text: str, place: Place, expected: str) -> FormatError:
    return FormatError(
        "invalid decision",
        code="CB235",
        place=place,
        found=text,
        expected=expected,
        remedy="correct the line, or write ? to leave it to the rule",
    )
