"""``corefbench levels``: score cross-document data at several levels."""

from typing import Annotated, Any, cast

from corefbench.cli import options
from corefbench.cli.inputs import reading_bar, resolve_corpus, short_names, split_names
from corefbench.cli.output import draw_chart, print_findings, require_chart, write_output


def levels(
    key: options.Key,
    responses: options.Responses,
    profile: options.Profile = "cattan-2021",
    level: Annotated[
        str, options.method_option("Comma-separated: document, subtopic, topic, corpus.", "--levels")
    ] = "subtopic,topic,corpus",
    clustering_scope: Annotated[
        str | None,
        options.method_option(
            "How far chains of the responses reach: document, subtopic, topic, corpus; "
            "by default derived from their labels."
        ),
    ] = None,
    match: Annotated[str | None, options.method_option("The matching rule.")] = None,
    measures: Annotated[str | None, options.method_option("Comma-separated, such as muc,lea.")] = None,
    input_format: options.InputFormat = None,
    lenient: options.Lenient = False,
    format: options.Format = "table",
    chart: options.Chart = None,
    output: options.Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Score across documents: by subtopic, topic and corpus, with and without singletons.

    Mention detection is scored on its own, and chains also on the mentions of the key, as Cattan et
    al. (2021) recommend. The scope of the chains and the level of scoring are recorded separately.

    Example: corefbench levels gold.conll system.conll --clustering-scope subtopic
    """
    from corefbench.analysis.levels import levels as study_levels
    from corefbench.cli.validation import parse_report_format, require_one_standard_input
    from corefbench.report.studies import level_chart, report_levels

    report_format = parse_report_format(format)
    require_one_standard_input(key, *responses)
    require_chart(chart)
    with reading_bar(key, *responses) as bar:
        study = study_levels(
            resolve_corpus(key),
            dict(zip(short_names(responses), map(resolve_corpus, responses), strict=True)),
            profile,
            levels=cast("Any", split_names(level)),
            clustering_scope=cast("Any", clustering_scope),
            format=input_format,
            lenient=lenient,
            advance=bar.advance,
            match=match,
            measures=measures,
        )
    if not quiet:
        print_findings(study.findings)
    drawing = draw_chart(lambda: level_chart(study), chart, report_format)
    write_output(report_levels(study, report_format, more=drawing), output)
