"""Tables of the results page: methods, figures, documents."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from shlex import join

from msgspec.structs import asdict, replace

from corefbench.analysis.comparison import CONLL, PARTS, Comparison, Estimate, Part
from corefbench.bench.plan import Plan
from corefbench.errors import UnknownName, UsageError
from corefbench.records import Record
from corefbench.report.bench import RATES, words_per_second
from corefbench.report.comparison import format_score
from corefbench.report.table import percent
from corefbench.runs import Run
from corefbench.workbench.analysis import OutcomeCounts, count_outcomes, response_names
from corefbench.workbench.jobs import command_options


class Column(Record, frozen=True):
    """A measure in a table."""

    name: str
    title: str
    about: str = ""


class Figure(Record, frozen=True):
    """A number, as a fraction, with its interval."""

    value: float | None
    shown: str = "–"
    """In per cent, rounded by the rule of the profile."""
    low: float | None = None
    high: float | None = None
    better_than: tuple[str, ...] = ()
    """Methods that this one is significantly better than, by name …"""
    marks: str = ""
    """… and by letter."""
    hits: int | None = None
    """Numerator …"""
    total: int | None = None
    """… and denominator of a rate."""


RATE_COLUMNS = tuple(Column(name=name, title=title, about=about) for name, (title, about) in RATES.items())
DOCUMENT_RATES = ("success_rate", "precision")
"""Rates by document, as in Table 1 of Barbu & Mitkov 2001."""
_RATE_TITLES = {"success_rate": "Success rate", "precision": "Precision"}
_PRONOUN_SCORE = "pronouns"
TESTED_RATES: dict[str, Part] = {"success_rate": "recall", "precision": "precision"}
"""Rates that are tested, and their part in a comparison."""


def make_figure(comparison: Comparison, method: str, score: str, part: Part) -> Figure | None:
    """Return a score with its interval and letters; None if there is no such part."""
    estimate: Estimate | None = comparison[method].scores[score].get(part)
    if estimate is None:
        return None
    beaten = comparison.beaten(method, score, part)
    letters = [comparison[name].mark for name in beaten]
    return Figure(
        value=estimate.value,
        shown=format_score(comparison, score, estimate.value),
        low=estimate.low,
        high=estimate.high,
        better_than=beaten,
        marks=("," if len(comparison.systems) > 26 else "").join(letters),
    )


def response_command(run: Run, name: str) -> str:
    """Return the command for one response: by its resolver, or by its signature."""
    key = next((source.name for source in run.header.inputs if source.role == "key"), "CORPUS")
    if run.kind == "bench":
        return join(["corefbench", "bench", key, "--resolvers", name, *_plan_options(run.bench.plan)])
    signature = next(result.signature for result in run.header.results if result.name == name)
    return join(["corefbench", "verify", signature, key, name])


def _plan_options(plan: Plan) -> list[str]:
    """Return the options of ``corefbench bench`` that differ from the defaults."""
    names = ("mode", "preprocess", "mentions", "match", "profile", "cataphora")
    return command_options({name: getattr(plan, name) for name in names}, asdict(Plan()))


class DocumentCell(Record, frozen=True):
    """The result of a method on a document."""

    value: float | None
    shown: str
    tried: OutcomeCounts


class DocumentRow(Record, frozen=True):
    """A document with the results of all methods."""

    number: int | None
    """Its number in the run; None for a unit of scoring that is not a document."""
    label: str
    words: int | None
    methods: dict[str, DocumentCell]

    @property
    def errors(self) -> int:
        """Errors of all methods."""
        return sum(cell.tried.errors for cell in self.methods.values())


def document_measures(scores: Comparison | None, pronouns: Comparison | None) -> tuple[Column, ...]:
    """Return the measures that are available by document, the main one first."""
    rates = [Column(name=name, title=_RATE_TITLES[name]) for name in DOCUMENT_RATES] if pronouns else []
    titles = [] if scores is None else list(scores.titles.items())
    titles.sort(key=lambda pair: pair[0] != CONLL)
    return (*rates, *(Column(name=name, title=f"{title} F1") for name, title in titles))


def document_rows(run: Run, measure: str, scores: Comparison | None) -> tuple[DocumentRow, ...]:
    """Return all documents with one measure of every method."""
    labels = _document_labels(run, scores)
    numbers = {label: number for number, label in enumerate(run.documents)}
    values = _document_values(run, measure, scores)
    counts = {
        name: dict(zip(run.documents or run.bench.documents, outcomes, strict=False))
        for name, outcomes in count_outcomes(run).items()
    }
    words = dict(zip(run.bench.documents, run.bench.words, strict=True)) if run.kind == "bench" else {}
    return tuple(
        DocumentRow(
            number=numbers.get(label),
            label=label,
            words=words.get(label),
            methods={
                name: DocumentCell(
                    value=values[name].get(label),
                    shown=_format_value(values[name].get(label), measure, scores),
                    tried=counts[name].get(label, OutcomeCounts()),
                )
                for name in response_names(run)
            },
        )
        for label in labels
    )


def _format_value(value: float | None, measure: str, scores: Comparison | None) -> str:
    if value is None:
        return "–"
    if measure in DOCUMENT_RATES or scores is None:
        return percent(value)
    return format_score(scores, measure, value)


def _document_labels(run: Run, scores: Comparison | None) -> list[str]:
    """Return the documents of the run, then other units of scoring."""
    units = scores.documents if scores is not None else run.bench.documents
    return list(dict.fromkeys([*(run.documents or ()), *units]))


def _document_values(run: Run, measure: str, scores: Comparison | None) -> Mapping[str, Mapping[str, float | None]]:
    if measure in DOCUMENT_RATES:
        return {
            performance.resolver: {
                document: getattr(rates, measure).value for document, rates in performance.by_document().items()
            }
            for performance in run.bench.performances
        }
    if scores is None:
        return {name: {} for name in response_names(run)}
    return {
        system.name: dict(zip(scores.documents, system.by_document[measure], strict=True)) for system in scores.systems
    }


def sort_rows(rows: Sequence[DocumentRow], sort: str, order: str, methods: Sequence[str]) -> tuple[DocumentRow, ...]:
    """Sort by errors, label, or the value of a method; most errors or highest value first."""
    if order not in ("", "asc", "desc"):
        raise UsageError(f"there is no order {order!r}", expected="asc or desc")
    if sort not in ("errors", "document", *methods):
        raise UnknownName("column to sort by", sort, ["errors", "document", *methods])
    is_descending = order == "desc" or (not order and sort != "document")

    def sort_key(row: DocumentRow) -> tuple[bool, float | str]:
        if sort == "document":
            return False, row.label
        if sort == "errors":
            return False, -row.errors if is_descending else row.errors
        value = row.methods[sort].value
        # What has no value comes last in both directions.
        number = 0.0 if value is None else value
        return value is None, -number if is_descending else number

    ordered = sorted(rows, key=sort_key)
    return tuple(reversed(ordered)) if sort == "document" and is_descending else tuple(ordered)


class Method(Record, frozen=True):
    """A resolver or response."""

    name: str
    mark: str
    """Its letter in marks of significance."""
    signatures: dict[str, str]
    """Signatures of its coreference scores and of its pronouns."""
    command: str
    tried: OutcomeCounts
    """Outcomes of pronouns, or of mentions in a run of scores."""
    worst: int | None
    """The number of the document with most errors."""
    rates: dict[str, Figure]
    scores: dict[str, dict[str, Figure]]
    """By measure: recall, precision and f1."""
    words_per_second: float | None = None


def make_method(
    run: Run, name: str, scores: Comparison | None, pronouns: Comparison | None, rows: tuple[DocumentRow, ...]
) -> Method:
    """Return a method with its figures in both comparisons."""
    rows_with_errors = [row for row in rows if row.number is not None and row.methods[name].tried.errors]
    worst = max(rows_with_errors, key=lambda row: row.methods[name].tried.errors, default=None)
    comparisons = {"scores": scores, "pronouns": pronouns}
    comparison = scores or pronouns
    performance = run.bench[name] if run.kind == "bench" else None
    return Method(
        name=name,
        mark=comparison[name].mark if comparison is not None else "",
        signatures={kind: tested[name].signature for kind, tested in comparisons.items() if tested is not None},
        command=response_command(run, name),
        tried=sum(count_outcomes(run)[name], OutcomeCounts()),
        worst=None if worst is None else worst.number,
        rates={} if pronouns is None else _rate_figures(run, name, pronouns),
        scores={} if scores is None else _score_figures(scores, name),
        words_per_second=words_per_second(performance.words, performance.seconds) if performance else None,
    )


def _rate_figures(run: Run, name: str, pronouns: Comparison) -> dict[str, Figure]:
    figures = {}
    for column in RATE_COLUMNS:
        rate = getattr(run.bench[name].rates, column.name)
        figure = Figure(value=rate.value, shown="–" if rate.value is None else percent(rate.value))
        if column.name in TESTED_RATES and rate.value is not None:
            figure = make_figure(pronouns, name, _PRONOUN_SCORE, TESTED_RATES[column.name]) or figure
        figures[column.name] = replace(figure, value=rate.value, hits=rate.hits, total=rate.total)
    return figures


def _score_figures(scores: Comparison, name: str) -> dict[str, dict[str, Figure]]:
    return {
        score: {part: figure for part in PARTS if (figure := make_figure(scores, name, score, part)) is not None}
        for score in scores.titles
    }


def best_values(methods: Sequence[Method]) -> dict[str, float]:
    """Return the highest value of every column, unless all are equal."""
    columns: dict[str, list[float]] = defaultdict(list)
    for method in methods:
        figures = {f"rate {name}": figure for name, figure in method.rates.items()}
        figures |= {name: parts["f1"] for name, parts in method.scores.items() if "f1" in parts}
        for name, figure in figures.items():
            if figure.value is not None:
                columns[name].append(figure.value)
    return {name: max(values) for name, values in columns.items() if len(set(values)) > 1}
