"""A comparison as text: terminal, Markdown, LaTeX, CSV, JSON, HTML; and what to cite."""

import re
from typing import Any

import msgspec
from msgspec.structs import replace

from corefbench.analysis.comparison import PARTS, Comparison
from corefbench.bibliography import bibtex
from corefbench.report import ReportFormat, latex, markdown, page, render_table, terminal
from corefbench.report.comparison_rows import as_rows
from corefbench.report.comparison_tables import (
    difference_table,
    document_table,
    interval_table,
    pronoun_table,
    score_table,
)
from corefbench.report.comparison_words import marks_explained
from corefbench.report.superscripts import as_tags, as_words, in_latex, in_page
from corefbench.report.table import Table

_SIGNS = {"−": "$-$", "≤": r"$\le$"}
_STAR = re.compile(r"(?<=\d) \*")
_STYLE = "sup { display: inline-block; min-width: .8em; text-align: left; font-size: .7em; }"


def report_comparison(
    comparison: Comparison,
    format: ReportFormat = "table",
    *,
    by_document: bool = False,
    brief: bool = False,
    cite: bool = False,
    more: str = "",
) -> str:
    """The comparison; ``brief`` leaves intervals and differences out, ``cite`` adds BibTeX.

    ``more`` is HTML that a page shows after the tables.
    """
    if format == "json":
        made = as_object(comparison, by_document=by_document, cite=cite)
        return msgspec.json.format(msgspec.json.encode(made), indent=2).decode()
    if format == "csv":
        return as_rows(comparison)
    tables = comparison_tables(comparison, brief=brief, by_document=by_document)
    if format == "html":
        tables += [difference_table(comparison, part) for part in PARTS[:2] if not brief]
    text = _rendered(comparison, [table for table in tables if table.rows], format, more)
    return f"{text}\n\n{bibtex(comparison.cites)}" if cite and format != "html" else text


def comparison_tables(
    comparison: Comparison, *, brief: bool = False, by_document: bool = False
) -> list[Table]:
    """The tables, those without rows too."""
    tables = [score_table(comparison)]
    if not brief:
        tables += [
            interval_table(comparison),
            difference_table(comparison),
            pronoun_table(comparison),
        ]
    return tables + ([document_table(comparison)] if by_document else [])


def _rendered(comparison: Comparison, tables: list[Table], format: ReportFormat, more: str) -> str:
    words = marks_explained(comparison)
    first, *rest = tables
    if format == "table":
        signatures = first.notes
        notes = (words,) if words else ()
        shown = [as_words(replace(first, notes=notes)), *rest]
        return "\n\n".join([*map(terminal.render, shown), "\n".join(signatures)])
    captioned = replace(first, caption=f"{first.caption}. {words}" if words else first.caption)
    if format == "markdown":
        return "\n\n".join(markdown.render(as_tags(table)) for table in (captioned, *rest))
    if format == "html":
        return in_page(page.render([captioned, *rest], more=more, style=_STYLE))
    if format == "latex":
        return "\n\n".join(_latex(table) for table in (captioned, *rest))
    return "\n\n".join(render_table(table, format) for table in tables)


def _latex(table: Table) -> str:
    text = in_latex(latex.render(table))
    for sign, command in _SIGNS.items():
        text = text.replace(sign, command)
    return _STAR.sub(r"\\textsuperscript{*}", text)


def as_object(
    comparison: Comparison, *, by_document: bool = False, cite: bool = False
) -> dict[str, Any]:
    """The comparison in plain values; programs may rely on the keys."""
    made: dict[str, Any] = msgspec.to_builtins(comparison)
    made = {"signature": comparison.signature, **made, "documents": len(comparison.documents)}
    for system in made["systems"]:
        rows = system.pop("by_document")
        system["beats"] = {
            score: {part: list(comparison.beaten(system["name"], score, part)) for part in figures}
            for score, figures in system["scores"].items()
        }
        if by_document:
            system["by_document"] = {
                score: dict(zip(comparison.documents, values, strict=True))
                for score, values in rows.items()
            }
    return {**made, "bibtex": bibtex(comparison.cites)} if cite else made
