"""A table as the renderers take it: cells are text, the renderer only lays them out."""

from collections.abc import Mapping
from math import floor

from corefbench.measures import Score
from corefbench.profiles.profile import Rounding
from corefbench.record import Record
from corefbench.scoring.result import Result


class Table(Record, frozen=True):
    """Rows under headers, with a caption and notes below."""

    caption: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def text_columns(self) -> set[int]:
        """The columns that hold names rather than numbers."""
        return {
            number
            for number, header in enumerate(self.headers)
            if header in _NAMES or not all(map(_is_number, (row[number] for row in self.rows)))
        }

    def word_columns(self) -> set[int]:
        """Those of them that have words; signs, intervals and percentages stay with the numbers."""
        return {number for number in self.text_columns() if self._is_prose(number)}

    def _is_prose(self, number: int) -> bool:
        cells = [row[number] for row in self.rows if row[number]]
        return sum(cell[0].isalpha() for cell in cells) * 2 > len(cells)


_NAMES = ("Measure", "Response", "Document")


def _is_number(cell: str) -> bool:
    """Whether a cell is a number, or says nothing."""
    return not cell or cell.replace(".", "", 1).isdigit()


def percent(fraction: float, rounding: Rounding = "half-up") -> str:
    """A fraction as a percentage with two decimals.

    ``truncate`` cuts, as the reference scorer does: 0.8 that was computed as 0.7999… is 79.99.

    >>> percent(0.66666), percent(0.66666, "truncate"), percent(0.12345)
    ('66.67', '66.66', '12.35')
    """
    if rounding == "truncate":
        return f"{int(fraction * 10000) / 100:.2f}"
    return f"{floor(round(fraction * 10000, 6) + 0.5) / 100:.2f}"


def score_table(results: Mapping[str, Result]) -> Table:
    """One response: a row a measure. Several: a row a response, F1 only."""
    if len(results) == 1:
        return _single(next(iter(results.values())))
    first = next(iter(results.values()))
    titles = [_title(first, name) for name in first]
    rows = tuple((name, *_f1_cells(result)) for name, result in results.items())
    return Table(
        caption=f"F1 by {first.profile.title}",
        headers=("Response", *titles, *(("CoNLL",) if first.conll else ())),
        rows=rows,
        notes=tuple(f"{name}: {result.signature}" for name, result in results.items()),
    )


def _single(result: Result) -> Table:
    rounding = result.profile.rounding
    rows = [
        (_title(result, name), *(percent(x, rounding) for x in (s.recall, s.precision, s.f1)))
        for name, s in result.scores.items()
    ]
    if result.conll is not None:
        rows.append(("CoNLL", "", "", percent(result.conll.f1)))
    return Table(
        caption=f"{result.profile.title}; {_count(len(result.documents), 'document')}",
        headers=("Measure", "Recall", "Precision", "F1"),
        rows=tuple(rows),
        notes=(str(result.signature),),
    )


def document_table(results: Mapping[str, Result]) -> Table:
    """F1 document by document, and of all."""
    first = next(iter(results.values()))
    rows = []
    for name, result in results.items():
        for document, scores in result.by_document().items():
            cells = (percent(s.f1, result.profile.rounding) for s in scores.values())
            conll = (_document_conll(result, scores),) if result.conll else ()
            rows.append((name, document, *cells, *conll))
        rows.append((name, "all", *_f1_cells(result)))
    several = len(results) > 1
    headers = ("Response", "Document", *(_title(first, name) for name in first))
    headers += ("CoNLL",) if first.conll else ()
    return Table(
        caption=f"F1 by document, {first.profile.title}",
        headers=headers if several else headers[1:],
        rows=tuple(row if several else row[1:] for row in rows),
        notes=tuple(str(result.signature) for result in results.values()),
    )


def _document_conll(result: Result, scores: Mapping[str, Score]) -> str:
    values = [scores[name].f1 for name in result.profile.conll]
    return percent(sum(values) / len(values))


def _f1_cells(result: Result) -> list[str]:
    cells = [percent(score.f1, result.profile.rounding) for score in result.scores.values()]
    return [*cells, percent(result.conll.f1)] if result.conll else cells


def _title(result: Result, name: str) -> str:
    """The measure's title; the score's own name where a profile has several of one measure."""
    measure = result.measures[name]
    return measure.card.title if measure.card.name == name else name.replace("_", " ")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
