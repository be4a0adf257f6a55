"""``corefbench doctor``: what is installed, what is missing, what is broken."""

from typing import Annotated

import typer


def doctor(
    thorough: Annotated[
        bool,
        typer.Option("--thorough", help="Import every package and run every model; takes longer."),
    ] = False,
    format: Annotated[str, typer.Option("--format", "-f", help="table or json.")] = "table",
) -> None:
    """Explain the installation: version, extras, models, data sets, cache, plug-ins, programs.

    Exits with 1 if something that is installed is broken; what is merely missing is fine.

    Example: corefbench doctor --thorough
    """
    from corefbench.cli.choice import one_of
    from corefbench.doctor import examine
    from corefbench.report.doctor import report_examination

    one_of(format, "table", "json")
    made = examine(thorough=thorough)
    typer.echo(report_examination(made, "json" if format == "json" else "table"))
    if made.broken:
        raise typer.Exit(1)
