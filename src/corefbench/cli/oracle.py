"""``corefbench oracle``: what better mention detection would be worth."""

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from corefbench.cli.drawing import draw, require_drawing
from corefbench.cli.options import (
    HOW,
    Chart,
    EngineName,
    Format,
    InputFormat,
    Jobs,
    Output,
    Preprocess,
    Profile,
    emit,
    report_format,
)

if TYPE_CHECKING:
    pass


def oracle(
    corpus: Annotated[
        str,
        typer.Argument(
            metavar="CORPUS", help="A file, a folder, a pattern, or a name: bundled, gum/dev …"
        ),
    ],
    resolvers: Annotated[
        str, typer.Option("--resolvers", "-r", help="Comma-separated, such as sieve,same-head.")
    ] = "sieve,same-head",
    profile: Profile = "conll-2012",
    singletons: Annotated[
        str,
        typer.Option(
            help="strip or keep: whether singletons count in the scores.", rich_help_panel=HOW
        ),
    ] = "strip",
    mode: Annotated[
        str,
        typer.Option(
            help="automatic: raw text. annotated: the key's tokens and syntax.", rich_help_panel=HOW
        ),
    ] = "automatic",
    preprocess: Preprocess = "",
    cache: Annotated[
        bool,
        typer.Option(
            "--cache/--no-cache", help="Keep analyses of texts on disk.", rich_help_panel=HOW
        ),
    ] = True,
    jobs: Jobs = 1,
    engine: EngineName = "",
    input_format: InputFormat = None,
    format: Format = "table",
    chart: Chart = None,
    output: Output = None,
) -> None:
    """Give resolvers detected, all gold, and non-singleton gold mentions, and score all three.

    The oracle of Chen et al. (2018, Table 6), for any resolver that takes mentions.

    Example: corefbench oracle bundled --resolvers sieve,same-head
    """
    from corefbench.analysis.oracle.study import oracle as run_oracle
    from corefbench.cli.bench import split
    from corefbench.cli.corpus import named
    from corefbench.cli.progress import document_progress
    from corefbench.report.charts.oracle import oracle_chart
    from corefbench.report.oracle import report_oracle

    shape = report_format(format)
    require_drawing(chart)
    with document_progress() as (begin, advance):
        made = run_oracle(
            named(corpus),
            split(resolvers),
            profile,
            mode=cast("Any", mode),
            preprocess=preprocess,
            singletons=singletons,
            cache=cache,
            format=input_format,
            engine=engine,
            jobs=jobs,
            begin=begin,
            advance=advance,
        )
    drawn = draw(lambda: oracle_chart(made), chart, shape)
    emit(report_oracle(made, shape, more=drawn), output)
