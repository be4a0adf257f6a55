"""``corefbench train``: a model, or a learning curve, from a configuration."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli.options import HOW, OUTPUT, Chart

if TYPE_CHECKING:
    from corefbench.training import Config, Report


def train(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="A TOML file.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The folder of the model.", rich_help_panel=OUTPUT),
    ] = Path("model"),
    curve: Annotated[
        str | None,
        typer.Option(
            metavar="SHARES",
            help="Train on growing shares of the documents, such as 0.1,0.25,0.5,1.",
            rich_help_panel=HOW,
        ),
    ] = None,
    chart: Chart = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress.", rich_help_panel=OUTPUT)
    ] = False,
) -> None:
    """Train a resolver; a run that was killed goes on where it stopped.

    Example: corefbench train examples/training/ubiu-tiny.toml --output models/ubiu
    """
    from corefbench.cli.drawing import require_drawing
    from corefbench.errors import UsageError
    from corefbench.training import read_config
    from corefbench.training import train as train_model

    def report(line: str) -> None:
        if not quiet:
            typer.echo(line, err=True)

    chosen = read_config(config)
    if curve is not None:
        require_drawing(chart)
        _curve(chosen, curve, output, chart, report)
        return
    if chart is not None:
        raise UsageError("a chart is drawn of a learning curve", expected="--curve SHARES")
    card = train_model(chosen, output, report)
    scores = ", ".join(f"{name} {100 * value:.2f}" for name, value in card.scores.items())
    typer.echo(f"{output}: {card.kind}, development {scores or 'not scored'}")


def _curve(
    config: "Config", shares: str, output: Path, chart: Path | None, report: "Report"
) -> None:
    from corefbench.errors import UsageError
    from corefbench.report import render_table
    from corefbench.report.curve import curve_table
    from corefbench.training.curve import train_curve

    try:
        wanted = [float(share) for share in shares.split(",") if share.strip()]
    except ValueError as error:
        raise UsageError(
            "a share is a number", found=shares, expected="such as 0.1,0.25,0.5,1"
        ) from error
    made = train_curve(config, wanted, output, report)
    typer.echo(render_table(curve_table(made), "table"))
    if chart is not None:
        from corefbench.report.charts import write_chart
        from corefbench.report.charts.learning import learning_chart

        write_chart(learning_chart(made), chart)
