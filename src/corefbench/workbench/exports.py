"""Export results and corpora to the formats of papers, spreadsheets and programs."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec.structs import astuple

from corefbench.errors import DataError, UnknownName
from corefbench.records import Record
from corefbench.report.renderers import ReportFormat, render_csv, render_json
from corefbench.report.table import Table
from corefbench.runs import Run
from corefbench.web.responses import FileContent
from corefbench.workbench.analysis import compare_pronouns, compare_scores, response_names
from corefbench.workbench.results import (
    RATE_COLUMNS,
    TESTED_RATES,
    Figure,
    document_measures,
    document_rows,
    make_figure,
)

if TYPE_CHECKING:
    from corefbench.corpus.corpus import Corpus

_MEDIA_TYPES = {
    ".tex": "text/x-tex; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".json": "application/json",
    ".bib": "text/x-bibtex; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}


def render_reports(run: Run, format: ReportFormat) -> str:
    """Return every table with its caption; in LaTeX, signatures are comments."""
    from corefbench.report.bench import report_bench
    from corefbench.report.comparison import report_comparison

    parts = [report_bench(run.bench, format)] if run.kind == "bench" else []
    parts += [
        report_comparison(comparison, format)
        for comparison in (compare_pronouns(run), compare_scores(run))
        if comparison is not None
    ]
    return "\n\n".join(parts)


def to_json(run: Run) -> str:
    """Return the content of all tables, unrounded."""
    from corefbench.report.bench import bench_to_dict
    from corefbench.report.comparison import comparison_to_dict
    from corefbench.report.runs import run_to_dict

    scores, pronouns = compare_scores(run), compare_pronouns(run)
    content = {
        "run": run_to_dict(run),
        "bench": bench_to_dict(run.bench) if run.kind == "bench" else None,
        "pronouns": None if pronouns is None else comparison_to_dict(pronouns),
        "scores": None if scores is None else comparison_to_dict(scores, by_document=True),
    }
    return render_json(content)


def to_csv(run: Run) -> str:
    """Return a row for every method, measure and part: unrounded fractions with intervals."""
    headers = ("method", "measure", "part", "value", "low", "high", "better_than", "signature")
    return render_csv(Table(caption="", headers=headers, rows=tuple(_csv_rows(run))))


def _csv_rows(run: Run) -> Iterator[tuple[str, ...]]:
    scores, pronouns = compare_scores(run), compare_pronouns(run)
    for name in response_names(run):
        if pronouns is not None:
            for column in RATE_COLUMNS:
                rate = getattr(run.bench[name].rates, column.name)
                figure = Figure(value=rate.value)
                if column.name in TESTED_RATES:
                    figure = make_figure(pronouns, name, "pronouns", TESTED_RATES[column.name]) or figure
                yield name, column.name, "", *_csv_cells(figure), pronouns[name].signature
        if scores is not None:
            for score, parts in scores[name].scores.items():
                for part in parts:
                    score_figure = make_figure(scores, name, score, part)
                    if score_figure is not None:
                        yield name, score, part, *_csv_cells(score_figure), scores[name].signature


def _csv_cells(figure: Figure) -> tuple[str, ...]:
    # The shortest text that reads back as the same number.
    numbers = ("" if n is None else repr(n) for n in (figure.value, figure.low, figure.high))
    return (*numbers, " ".join(figure.better_than))


def documents_to_csv(run: Run) -> str:
    """Return a row for every document, method and measure, with the outcomes of mentions."""
    scores, pronouns = compare_scores(run), compare_pronouns(run)
    rows = []
    for measure in document_measures(scores, pronouns):
        for row in document_rows(run, measure.name, scores):
            for name, cell in row.methods.items():
                value = "" if cell.value is None else repr(cell.value)
                rows.append((row.label, name, measure.name, value, *map(str, astuple(cell.tried))))
    headers = ("document", "method", "measure", "value", "right", "wrong", "missed", "spurious")
    return render_csv(Table(caption="", headers=headers, rows=tuple(rows)))


def to_bibtex(run: Run) -> str:
    """Return the references of profile, measures and tests."""
    from corefbench.citations import bibtex

    comparisons = (compare_scores(run), compare_pronouns(run))
    return bibtex(key for comparison in comparisons if comparison for key in comparison.cites)


def text_file(name: str, text: str) -> FileContent:
    """Return a text as a file to download."""
    return FileContent(body=f"{text}\n".encode(), media_type=_MEDIA_TYPES[Path(name).suffix], name=name)


class OutputFormat(Record, frozen=True):
    """A format that can be chosen."""

    name: str
    title: str
    extension: str


def output_formats(like: str = "") -> tuple[OutputFormat, ...]:
    """Return the formats that are one file; that of the file ``like`` comes first."""
    from corefbench.formats import formats
    from corefbench.formats.convert import FolderWriter

    writable = []
    for name in formats:
        target = formats[name]()
        card = target.card
        if card.writes and not card.selects and not isinstance(target, FolderWriter):
            extension = card.extensions[0] if card.extensions else ".txt"
            writable.append(OutputFormat(name=name, title=card.title, extension=extension))
    own = _detect_format(like) if like else ""
    return tuple(sorted(writable, key=lambda output: output.name != own))


def _detect_format(path: str) -> str:
    from corefbench.formats.load import detect_format
    from corefbench.formats.source import Source

    try:
        return detect_format(Source.of(path)).card.name
    except DataError:
        return ""


def write_corpus(corpus: "Corpus", format: str) -> tuple[str, bytes]:
    """Return the suffix and the content of a file in that format."""
    from corefbench.formats.convert import convert

    formats = {output.name: output for output in output_formats()}
    if format not in formats:
        raise UnknownName("format to write", format, list(formats))
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"corpus{formats[format].extension}"
        convert(corpus, path, output_format=format)
        return path.suffix, path.read_bytes()
