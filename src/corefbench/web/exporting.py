"""The results of a run in the formats of papers, spreadsheets and programs."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from corefbench.report import comma
from corefbench.report.table import Table
from corefbench.runs import Run
from corefbench.web.analyses import compared, compared_on_pronouns, responses_of
from corefbench.web.documents import document_rows, measures_by_document
from corefbench.web.figures import RATES, TESTED, Figure, figure


def as_latex(run: Run) -> str:
    """Every table, with what a caption must say; signatures stand in comments."""
    return _reported(run, "latex")


def as_markdown(run: Run) -> str:
    """Every table."""
    return _reported(run, "markdown")


def _reported(run: Run, format: Any) -> str:
    from corefbench.report.bench import report_bench
    from corefbench.report.compare import report_comparison

    parts = [report_bench(run.bench, format)] if run.kind == "bench" else []
    parts += [
        report_comparison(comparison, format)
        for comparison in (compared_on_pronouns(run), compared(run))
        if comparison is not None
    ]
    return "\n\n".join(parts)


def as_json(run: Run) -> str:
    """All that the tables say, unrounded."""
    from corefbench.report import bench as of_bench
    from corefbench.report import compare as of_comparison
    from corefbench.report import runs as of_runs

    scores, pronouns = compared(run), compared_on_pronouns(run)
    made = {
        "run": of_runs.as_object(run),
        "bench": of_bench.as_object(run.bench) if run.kind == "bench" else None,
        "pronouns": None if pronouns is None else of_comparison.as_object(pronouns),
        "scores": None if scores is None else of_comparison.as_object(scores, by_document=True),
    }
    return msgspec.json.format(msgspec.json.encode(made), indent=2).decode()


def as_csv(run: Run) -> str:
    """A row for every method, measure and part: fractions, unrounded, with their intervals."""
    headers = ("method", "measure", "part", "value", "low", "high", "better_than", "signature")
    return comma.render(Table(caption="", headers=headers, rows=tuple(_rows(run))))


def _rows(run: Run) -> Iterator[tuple[str, ...]]:
    scores, pronouns = compared(run), compared_on_pronouns(run)
    for name in responses_of(run):
        if pronouns is not None:
            for column in RATES:
                rate = getattr(run.bench[name].rates, column.name)
                found = Figure(value=rate.value)
                if column.name in TESTED:
                    found = figure(pronouns, name, "pronouns", TESTED[column.name]) or found
                yield name, column.name, "", *_cells(found), pronouns[name].signature
        if scores is not None:
            for score, parts in scores[name].scores.items():
                for part in parts:
                    tested = figure(scores, name, score, part)
                    if tested is not None:
                        yield name, score, part, *_cells(tested), scores[name].signature


def _cells(found: Figure) -> tuple[str, ...]:
    numbers = ("" if n is None else repr(n) for n in (found.value, found.low, found.high))
    return (*numbers, " ".join(found.better_than))


def by_document_as_csv(run: Run) -> str:
    """A row for every document, method and measure, and what became of its mentions."""
    scores, pronouns = compared(run), compared_on_pronouns(run)
    rows = []
    for measure in measures_by_document(scores, pronouns):
        for row in document_rows(run, measure.name, scores):
            for name, cell in row.methods.items():
                tried = cell.tried
                counts = (tried.right, tried.wrong, tried.missed, tried.spurious)
                value = "" if cell.value is None else repr(cell.value)
                rows.append((row.label, name, measure.name, value, *map(str, counts)))
    headers = (
        "document", "method", "measure", "value", "right", "wrong", "missed", "spurious",
    )  # fmt: skip
    return comma.render(Table(caption="", headers=headers, rows=tuple(rows)))


def as_bibtex(run: Run) -> str:
    """The works behind profile, measures and tests."""
    from corefbench.bibliography import bibtex

    found = [one.cites for one in (compared(run), compared_on_pronouns(run)) if one is not None]
    return bibtex(key for cites in found for key in cites)


def zipped(folder: Path, name: str) -> bytes:
    """A folder as a zip, under one name, the same bytes for the same files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(f"{name}/{path.relative_to(folder).as_posix()}")
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, path.read_bytes())
    return out.getvalue()
