"""Documents of a run: what each method made of them, and which to read first."""

from collections.abc import Mapping, Sequence

from corefbench.analysis.comparison import CONLL, Comparison
from corefbench.errors import UnknownName, UsageError
from corefbench.record import Record
from corefbench.report.comparison_tables import shown
from corefbench.report.table import percent
from corefbench.runs import Run
from corefbench.web.analyses import Tried, responses_of, tried
from corefbench.web.figures import Column

RATES = ("success_rate", "precision")
"""Rates that are shown document by document, as in Table 1 of Barbu & Mitkov 2001."""
_TITLES = {"success_rate": "Success rate", "precision": "Precision"}


class DocumentCell(Record, frozen=True):
    """What a method made of a document."""

    value: float | None
    shown: str
    tried: Tried


class DocumentRow(Record, frozen=True):
    """One document."""

    number: int | None
    """Its place in the run; None for what was scored as one but is no document of it."""
    label: str
    words: int | None
    methods: dict[str, DocumentCell]

    @property
    def errors(self) -> int:
        """Of all methods."""
        return sum(cell.tried.errors for cell in self.methods.values())


def measures_by_document(
    scores: Comparison | None, pronouns: Comparison | None
) -> tuple[Column, ...]:
    """What can be shown document by document, the main one first."""
    rates = [Column(name=name, title=_TITLES[name]) for name in RATES] if pronouns else []
    named = [] if scores is None else list(scores.titles.items())
    named.sort(key=lambda pair: pair[0] != CONLL)
    return (*rates, *(Column(name=name, title=f"{title} F1") for name, title in named))


def document_rows(run: Run, measure: str, scores: Comparison | None) -> tuple[DocumentRow, ...]:
    """All documents, with one measure of every method."""
    labels = _labels(run, scores)
    numbers = {label: number for number, label in enumerate(run.documents)}
    values = _values(run, measure, scores)
    counts = {
        name: dict(zip(run.documents or run.bench.documents, some, strict=False))
        for name, some in tried(run).items()
    }
    words = dict(zip(run.bench.documents, run.bench.words, strict=True)) if _is_bench(run) else {}
    return tuple(
        DocumentRow(
            number=numbers.get(label),
            label=label,
            words=words.get(label),
            methods={
                name: DocumentCell(
                    value=values[name].get(label),
                    shown=_shown(values[name].get(label), measure, scores),
                    tried=counts[name].get(label, Tried()),
                )
                for name in responses_of(run)
            },
        )
        for label in labels
    )


def _shown(value: float | None, measure: str, scores: Comparison | None) -> str:
    if value is None:
        return "–"
    return percent(value) if measure in RATES or scores is None else shown(scores, measure, value)


def _is_bench(run: Run) -> bool:
    return run.kind == "bench"


def _labels(run: Run, scores: Comparison | None) -> list[str]:
    """The documents of the run, and what was scored as one."""
    units = scores.documents if scores is not None else run.bench.documents
    return list(dict.fromkeys([*(run.documents or ()), *units]))


def _values(
    run: Run, measure: str, scores: Comparison | None
) -> Mapping[str, Mapping[str, float | None]]:
    if measure in RATES:
        return {
            one.resolver: {
                document: getattr(rates, measure).value
                for document, rates in one.by_document().items()
            }
            for one in run.bench.performances
        }
    if scores is None:
        return {name: {} for name in responses_of(run)}
    return {
        system.name: dict(zip(scores.documents, system.by_document[measure], strict=True))
        for system in scores.systems
    }


def sorted_rows(
    rows: Sequence[DocumentRow], sort: str, order: str, methods: Sequence[str]
) -> tuple[DocumentRow, ...]:
    """By errors, by label, or by the value of a method; most errors or highest value first."""
    if order not in ("", "asc", "desc"):
        raise UsageError(f"there is no order {order!r}", expected="asc or desc")
    if sort not in ("errors", "document", *methods):
        raise UnknownName("column to sort by", sort, ["errors", "document", *methods])
    down = order == "desc" or (not order and sort != "document")

    def place(row: DocumentRow) -> tuple[bool, float | str]:
        if sort == "document":
            return False, row.label
        if sort == "errors":
            return False, -row.errors if down else row.errors
        value = row.methods[sort].value
        known = 0.0 if value is None else value
        return value is None, -known if down else known

    made = sorted(rows, key=place)
    return tuple(reversed(made)) if sort == "document" and down else tuple(made)
