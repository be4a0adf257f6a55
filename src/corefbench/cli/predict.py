"""``corefbench predict``: what a trained model makes of a corpus."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli.options import HOW, OUTPUT, EngineName, InputFormat, Jobs, Preprocess, Quiet

if TYPE_CHECKING:
    from corefbench.resolvers.across.account import Account


def predict(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The folder of a trained model.")],
    corpus: Annotated[
        str,
        typer.Argument(
            metavar="CORPUS", help="A file, a folder, a pattern, or a name such as gum/dev."
        ),
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
    scope: Annotated[
        str,
        typer.Option(
            help="How far chains of a cross-document model reach: document, subtopic, topic, "
            "corpus, or predicted; else as trained.",
            rich_help_panel=HOW,
        ),
    ] = "",
    linking: Annotated[
        str,
        typer.Option(
            help="How a cross-document model compares mentions: exact, all of a group; blocked, "
            "candidates; auto, by the size of the group.",
            rich_help_panel=HOW,
        ),
    ] = "auto",
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
    accounts: list[Account] = []
    with step_progress("resolving") as step:
        answer = predict_corpus(
            model,
            read,
            mentions=mentions,  # type: ignore[arg-type]
            preprocess=preprocess,
            step=step,
            engine=engine,
            jobs=jobs,
            scope=scope,
            linking=linking,
            tell=accounts.append,
        )
    for line in accounts[0].lines() if accounts and not quiet else ():
        typer.echo(line, err=True)
    write_corpus(answer, output, to or ("conll" if output == "-" else None), quiet=quiet)
