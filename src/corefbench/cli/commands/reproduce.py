"""``corefbench reproduce``: reproduce the tables of papers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli import options
from corefbench.cli.output import ReportWriter
from corefbench.progress import ProgressBar

if TYPE_CHECKING:
    from corefbench.papers import Reproduction


def reproduce(
    paper: Annotated[
        str | None, typer.Argument(metavar="PAPER", help="A name or number, such as cattan-2021 or 001, or all.")
    ] = None,
    table: Annotated[str, typer.Option(help="Only this table of the paper.")] = "",
    data: Annotated[Path | None, options.input_option("The folder of the corpora; by default COREFBENCH_DATA.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the papers and exit.")] = False,
    brief: Annotated[bool, options.output_option("Only the summary, differences and errata.", "--brief")] = False,
    format: options.Format = "table",
    chart: Annotated[
        Path | None, options.output_option("Draw printed values against ours: FILE.svg, .png or .html.")
    ] = None,
    output: options.Output = None,
) -> None:
    """Reproduce the tables of a paper: printed value, ours, difference, verdict, and errata.

    Cells without data name the corpus that they need; the same experiment on free data follows.
    Exits with 1 if a value differs and is not a known erratum.

    Example: corefbench reproduce kuebler-zhekova-2011 --table 2
    """
    from corefbench.report.reproduction import report_reproductions, reproduction_chart

    writer = ReportWriter(format, output, chart=chart)
    if list_ or paper is None:
        writer.write(_list_papers())
        return
    reproductions = _reproduce_papers(paper, table, data)
    if chart is not None:
        writer.draw(lambda: reproduction_chart(reproductions))
    writer.write(report_reproductions(reproductions, writer.format, brief=brief))
    if not all(reproduction.holds for reproduction in reproductions):
        raise typer.Exit(1)


def _reproduce_papers(paper: str, table: str, data: Path | None) -> "list[Reproduction]":
    from corefbench.errors import UsageError
    from corefbench.papers import PAPERS
    from corefbench.papers import reproduce as reproduce_paper

    if data is not None and not data.is_dir():
        raise UsageError("the data folder does not exist", found=str(data))
    if paper == "all" and table:
        raise UsageError("a table belongs to one paper", found=f"all and --table {table}")
    names = list(PAPERS) if paper == "all" else [paper]
    with ProgressBar("reading", delay=0) as bar:
        return [reproduce_paper(name, table=table, data=data, begin=bar.describe) for name in names]


def _list_papers() -> str:
    from corefbench.citations import BIBLIOGRAPHY
    from corefbench.papers import PAPERS, find_recipe

    lines = []
    for name, number in PAPERS.items():
        recipe = find_recipe(name)
        tables = ", ".join(recipe.tables)
        lines.append(f"{number}  {name:<21} {BIBLIOGRAPHY[recipe.paper.cite]} Tables: {tables}.")
    return "\n".join(lines)
