"""Reports: the same results for terminal, Markdown, LaTeX, CSV, JSON and HTML."""

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from corefbench.report.table import Table, document_table, score_table
from corefbench.scoring.result import Result

ReportFormat: TypeAlias = Literal["table", "json", "markdown", "latex", "csv", "html"]


def report(
    results: Mapping[str, Result], format: ReportFormat = "table", *, by_document: bool = False
) -> str:
    """Results by response name, as text of the given format."""
    if format == "json":
        from corefbench.report import machine

        return machine.render(results, by_document=by_document)
    table = document_table(results) if by_document else score_table(results)
    if format == "html":
        from corefbench.report import page

        tables = [table] if by_document or len(results) == 1 else [table, *_details(results)]
        return page.render(tables, [f for result in results.values() for f in result.findings])
    return render_table(table, format)


def render_table(table: Table, format: ReportFormat) -> str:
    """A table as terminal text, Markdown, LaTeX or CSV."""
    from corefbench.report import comma, latex, markdown, terminal

    renderers = {
        "table": terminal.render,
        "markdown": markdown.render,
        "latex": latex.render,
        "csv": comma.render,
    }
    return renderers[format](table)


def render_tables(tables: Iterable[Table], format: ReportFormat, *, more: str = "") -> str:
    """Several tables one after the other; as a page, ``more`` is HTML that follows them."""
    if format == "html":
        from corefbench.report import page

        return page.render(tables, more=more)
    return "\n\n".join(render_table(table, format) for table in tables)


def _details(results: Mapping[str, Result]) -> list[Table]:
    """The full table of each response, for pages that have room."""
    from msgspec.structs import replace

    return [
        replace(score_table({name: result}), caption=name, notes=())
        for name, result in results.items()
    ]
