"""``corefbench reproduce``: the tables of the papers, rebuilt."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli.options import INPUT, OUTPUT, Format, Output, emit, report_format

if TYPE_CHECKING:
    from corefbench.experiments import Reproduction


def reproduce(
    paper: Annotated[
        str | None,
        typer.Argument(
            metavar="PAPER", help="A name or number, such as cattan-2021 or 001, or all."
        ),
    ] = None,
    table: Annotated[str, typer.Option(help="Only this table of the paper.")] = "",
    data: Annotated[
        Path | None,
        typer.Option(
            help="The folder of the corpora; else COREFBENCH_DATA.", rich_help_panel=INPUT
        ),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="Name the papers and leave.")] = False,
    brief: Annotated[
        bool,
        typer.Option(
            "--brief",
            help="Only the summary, what did not come out, and the errata.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    format: Format = "table",
    chart: Annotated[
        Path | None,
        typer.Option(
            help="Draw printed values against ours: FILE.svg, .png or .html.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    output: Output = None,
) -> None:
    """Rebuild the tables of a paper: printed value, ours, difference, verdict, and errata.

    Cells whose data is not here say what they need; the same experiment on free data follows. The
    exit code is 1 if a value differs and is not a known erratum.

    Example: corefbench reproduce kuebler-zhekova-2011 --table 2
    """
    chosen = report_format(format)
    if list_ or paper is None:
        emit(_papers(), output)
        return
    if chart is not None:
        from corefbench.report.charts import require_charts

        require_charts(chart)
    made = _reproduced(paper, table, data)
    if chart is not None:
        from corefbench.report.charts import write_chart
        from corefbench.report.charts.reproduction import reproduction_chart

        write_chart(reproduction_chart(made), chart)
    from corefbench.report.reproduce import report_reproductions

    emit(report_reproductions(made, chosen, brief=brief), output)
    if not all(one.holds for one in made):
        raise typer.Exit(1)


def _reproduced(paper: str, table: str, data: Path | None) -> "list[Reproduction]":
    from corefbench.errors import UsageError
    from corefbench.experiments import PAPERS
    from corefbench.experiments import reproduce as rebuild

    if data is not None and not data.is_dir():
        raise UsageError("the folder of the data is not there", found=str(data))
    if paper == "all" and table:
        raise UsageError("a table is of one paper", found=f"all and --table {table}")
    names = list(PAPERS) if paper == "all" else [paper]
    with _status() as begin:
        return [rebuild(name, table=table, data=data, begin=begin) for name in names]


def _papers() -> str:
    from corefbench.bibliography import BIBLIOGRAPHY
    from corefbench.experiments import PAPERS, recipe

    lines = []
    for name, number in PAPERS.items():
        found = recipe(name)
        tables = ", ".join(found.tables)
        lines.append(f"{number}  {name:<21} {BIBLIOGRAPHY[found.paper.cite]} Tables: {tables}.")
    return "\n".join(lines)


@contextmanager
def _status() -> Iterator[Callable[[str], None] | None]:
    """Says on standard error which table is being rebuilt; None where nobody looks."""
    import sys

    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading") as status:
        yield status.update
