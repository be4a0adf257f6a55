"""``corefbench levels``: cross-document data, scored at every level."""

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from corefbench.cli.drawing import draw, require_drawing
from corefbench.cli.options import (
    HOW,
    Chart,
    Format,
    InputFormat,
    Key,
    Lenient,
    Output,
    Profile,
    Quiet,
    emit,
    refuse_two_standard_inputs,
    report_format,
    say,
    short_names,
)

if TYPE_CHECKING:
    pass


def levels(
    key: Key,
    responses: Annotated[
        list[str], typer.Argument(metavar="RESPONSE…", help="One or more responses to score.")
    ],
    profile: Profile = "cattan-2021",
    level: Annotated[
        str,
        typer.Option(
            "--levels",
            help="Comma-separated: document, subtopic, topic, corpus.",
            rich_help_panel=HOW,
        ),
    ] = "subtopic,topic,corpus",
    clustering_scope: Annotated[
        str | None,
        typer.Option(
            help="How far chains of the responses reach: document, subtopic, topic, corpus; else "
            "read off their labels.",
            rich_help_panel=HOW,
        ),
    ] = None,
    match: Annotated[
        str | None, typer.Option(help="The matching rule.", rich_help_panel=HOW)
    ] = None,
    measures: Annotated[
        str | None, typer.Option(help="Comma-separated, such as muc,lea.", rich_help_panel=HOW)
    ] = None,
    input_format: InputFormat = None,
    lenient: Lenient = False,
    format: Format = "table",
    chart: Chart = None,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Score across documents: by subtopic, topic and corpus, with and without singletons.

    Mention detection is scored on its own, and chains also on the mentions of the key, as Cattan et
    al. (2021) ask for. How far the chains reach and what is scored as one are recorded separately.

    Example: corefbench levels gold.conll system.conll --clustering-scope subtopic
    """
    from corefbench.analysis.levels.study import levels as study_levels
    from corefbench.cli.bench import split
    from corefbench.cli.corpus import named
    from corefbench.cli.progress import reading_progress
    from corefbench.report.charts.levels import level_chart
    from corefbench.report.levels import report_levels

    shape = report_format(format)
    refuse_two_standard_inputs(key, *responses)
    require_drawing(chart)
    given = dict(zip(short_names(responses), map(named, responses), strict=True))
    with reading_progress(key, *responses) as advance:
        study = study_levels(
            named(key),
            given,
            profile,
            levels=cast("Any", split(level)),
            clustering_scope=cast("Any", clustering_scope),
            format=input_format,
            lenient=lenient,
            advance=advance,
            match=match,
            measures=measures,
        )
    if not quiet:
        say(study.findings)
    drawn = draw(lambda: level_chart(study), chart, shape)
    emit(report_levels(study, shape, more=drawn), output)
