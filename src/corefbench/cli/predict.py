"""``corefbench predict``: what a trained model makes of a corpus."""

from pathlib import Path
from typing import Annotated

import typer

from corefbench.cli.options import HOW, OUTPUT, EngineName, InputFormat, Jobs, Preprocess, Quiet


def predict(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The folder of a trained model.")],
    corpus: Annotated[
        str,
        typer.Argument(metavar="CORPUS", help="A file, a folder, or a name such as gum/dev."),
    ],
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", help="A file, or - for standard output.", rich_help_panel=OUTPUT
        ),
    ] = "-",
    to: Annotated[
        str | None,
        typer.Option(
            help="Write in this format; else by extension, else CoNLL.", rich_help_panel=OUTPUT
        ),
    ] = None,
    mentions: Annotated[
        str,
        typer.Option(
            help="predicted, or those of the corpus: gold, non-singleton.", rich_help_panel=HOW
        ),
    ] = "predicted",
    preprocess: Preprocess = "",
    input_format: InputFormat = None,
    jobs: Jobs = 1,
    engine: EngineName = "",
    quiet: Quiet = False,
) -> None:
    """Resolve a corpus with a trained model and write the response.

    Example: corefbench predict models/ubiu gum/dev --output response.conll
    """
    from corefbench.cli.corpus import named
    from corefbench.cli.steps import step_progress
    from corefbench.cli.written import write_corpus
    from corefbench.formats.load import load
    from corefbench.resolvers.predict import predict as predict_corpus

    found = named(corpus)
    read = load(found, format=input_format) if isinstance(found, str) else found
    with step_progress("documents") as step:
        answer = predict_corpus(
            model,
            read,
            mentions=mentions,  # type: ignore[arg-type]
            preprocess=preprocess,
            step=step,
            engine=engine,
            jobs=jobs,
        )
    write_corpus(answer, output, to or ("conll" if output == "-" else None), quiet=quiet)
