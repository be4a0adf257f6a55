"""``corefbench train`` and ``corefbench predict``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli import options
from corefbench.cli.inputs import load_corpus
from corefbench.cli.output import draw_chart, require_chart, write_corpus

if TYPE_CHECKING:
    from corefbench.resolvers.cross_document.linking import LinkingStats
    from corefbench.resolvers.training import Report, TrainingConfig


def train(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="A TOML file.")],
    output: Annotated[Path, options.output_option("The folder for the model.", "--output", "-o")] = Path("model"),
    curve: Annotated[
        str | None,
        options.method_option("Train on growing shares of the documents, such as 0.1,0.25,0.5,1.", metavar="SHARES"),
    ] = None,
    chart: options.Chart = None,
    quiet: Annotated[bool, options.output_option("No progress.", "--quiet", "-q")] = False,
) -> None:
    """Train a resolver; a run that was interrupted resumes where it stopped.

    Example: corefbench train examples/training/ubiu-tiny.toml --output models/ubiu
    """
    from corefbench.errors import UsageError
    from corefbench.resolvers.training import read_config
    from corefbench.resolvers.training import train as train_model

    def log(line: str) -> None:
        if not quiet:
            typer.echo(line, err=True)

    settings = read_config(config)
    if curve is not None:
        require_chart(chart)
        _train_curve(settings, curve, output, chart, log)
        return
    if chart is not None:
        raise UsageError("a chart is drawn of a learning curve", expected="--curve SHARES")
    card = train_model(settings, output, log)
    scores = ", ".join(f"{name} {100 * value:.2f}" for name, value in card.scores.items())
    typer.echo(f"{output}: {card.kind}, development {scores or 'not scored'}")


def _train_curve(config: "TrainingConfig", shares: str, output: Path, chart: Path | None, log: "Report") -> None:
    from corefbench.analysis.learning_curve import train_curve
    from corefbench.errors import UsageError
    from corefbench.report.learning_curve import curve_table, learning_chart
    from corefbench.report.renderers import render_table

    try:
        fractions = [float(share) for share in shares.split(",") if share.strip()]
    except ValueError as error:
        raise UsageError("a share is a number", found=shares, expected="such as 0.1,0.25,0.5,1") from error
    result = train_curve(config, fractions, output, log)
    typer.echo(render_table(curve_table(result), "table"))
    draw_chart(lambda: learning_chart(result), chart, "table")


def predict(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The folder of a trained model.")],
    corpus: options.NamedCorpus,
    output: Annotated[str, options.output_option("A file, or - for standard output.", "--output", "-o")] = "-",
    to: Annotated[str | None, options.output_option("The format; by default from the extension, else CoNLL.")] = None,
    mentions: Annotated[
        str, options.method_option("predicted, or those of the corpus: gold, non-singleton.")
    ] = "predicted",
    scope: Annotated[
        str,
        options.method_option(
            "How far chains of a cross-document model reach: document, subtopic, topic, "
            "corpus, or predicted; by default as trained."
        ),
    ] = "",
    linking: Annotated[
        str,
        options.method_option(
            "How a cross-document model compares mentions: exact (all pairs of a group), "
            "blocked (candidates only), or auto (by the size of the group)."
        ),
    ] = "auto",
    preprocess: options.Preprocess = "",
    input_format: options.InputFormat = None,
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    quiet: options.Quiet = False,
) -> None:
    """Resolve a corpus with a trained model and write the response.

    Example: corefbench predict models/ubiu gum/dev --output response.conll
    """
    from corefbench.progress import ProgressBar
    from corefbench.resolvers.predict import predict as predict_corpus

    source = load_corpus(corpus, input_format, quiet=True)
    stats: list[LinkingStats] = []
    with ProgressBar("resolving") as bar:
        response = predict_corpus(
            model,
            source,
            mentions=mentions,  # type: ignore[arg-type]
            preprocess=preprocess,
            step=bar.step,
            engine=engine,
            jobs=jobs,
            scope=scope,
            linking=linking,
            tell=stats.append,
        )
    for line in stats[0].lines() if stats and not quiet else ():
        typer.echo(line, err=True)
    write_corpus(response, output, to or ("conll" if output == "-" else None), quiet=quiet)
