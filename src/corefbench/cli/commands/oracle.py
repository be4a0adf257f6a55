"""``corefbench oracle``: measure what better mention detection would be worth."""

from typing import Annotated, Any, cast

import typer

from corefbench.cli import options
from corefbench.cli.inputs import resolve_corpus, split_names
from corefbench.cli.output import draw_chart, require_chart, write_output


def oracle(
    corpus: options.NamedCorpus,
    resolvers: Annotated[
        str, typer.Option("--resolvers", "-r", help="Comma-separated, such as sieve,same-head.")
    ] = "sieve,same-head",
    profile: options.Profile = "conll-2012",
    singletons: Annotated[
        str, options.method_option("strip or keep: whether singletons count in the scores.")
    ] = "strip",
    mode: Annotated[
        str, options.method_option("automatic: raw text. annotated: the key's tokens and syntax.")
    ] = "automatic",
    preprocess: options.Preprocess = "",
    cache: options.Cache = True,
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    input_format: options.InputFormat = None,
    format: options.Format = "table",
    chart: options.Chart = None,
    output: options.Output = None,
) -> None:
    """Give resolvers detected, all gold, and non-singleton gold mentions, and score all three.

    The oracle of Chen et al. (2018, Table 6), for any resolver that takes mentions.

    Example: corefbench oracle bundled --resolvers sieve,same-head
    """
    from corefbench.bench.oracle import oracle as run_oracle
    from corefbench.cli.validation import parse_report_format
    from corefbench.progress import ProgressBar
    from corefbench.report.studies import oracle_chart, report_oracle

    report_format = parse_report_format(format)
    require_chart(chart)
    with ProgressBar("documents") as bar:
        study = run_oracle(
            resolve_corpus(corpus),
            split_names(resolvers),
            profile,
            mode=cast("Any", mode),
            preprocess=preprocess,
            singletons=singletons,
            cache=cache,
            format=input_format,
            engine=engine,
            jobs=jobs,
            begin=bar.begin,
            advance=bar.advance,
        )
    drawing = draw_chart(lambda: oracle_chart(study), chart, report_format)
    write_output(report_oracle(study, report_format, more=drawing), output)
