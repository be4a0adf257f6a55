"""``corefbench singletons``: what singletons do to a score."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from corefbench.cli.options import (
    HOW,
    OUTPUT,
    Chart,
    Format,
    InputFormat,
    Key,
    Lenient,
    Output,
    Quiet,
    emit,
    refuse_two_standard_inputs,
    report_format,
    say,
    short_names,
)

if TYPE_CHECKING:
    from corefbench.analysis.singletons.study import SingletonStudy


def singletons(
    key: Key,
    responses: Annotated[
        list[str], typer.Argument(metavar="RESPONSE…", help="One or more responses to score.")
    ],
    profiles: Annotated[
        str,
        typer.Option(
            "--profiles",
            "-p",
            help="Comma-separated; see `corefbench profiles`.",
            rich_help_panel=HOW,
        ),
    ] = "semeval-2010,conll-2011,conll-2012",
    key_singletons: Annotated[
        str,
        typer.Option(
            help="strip or keep: the key that AllS, NoS, PronS and AttP are scored against.",
            rich_help_panel=HOW,
        ),
    ] = "strip",
    match: Annotated[
        str | None, typer.Option(help="The matching rule of all profiles.", rich_help_panel=HOW)
    ] = None,
    scope: Annotated[
        str | None, typer.Option(help="document, subtopic, topic, corpus.", rich_help_panel=HOW)
    ] = None,
    measures: Annotated[
        str | None,
        typer.Option(help="Comma-separated, such as mentions,muc,lea.", rich_help_panel=HOW),
    ] = None,
    input_format: InputFormat = None,
    lenient: Lenient = False,
    details: Annotated[
        bool,
        typer.Option("--details", help="Recall and precision beside F1.", rich_help_panel=OUTPUT),
    ] = False,
    format: Format = "table",
    chart: Chart = None,
    output: Output = None,
    quiet: Quiet = False,
) -> None:
    """Score responses with and without singletons, and say what that alone changes.

    Rebuilds the experiments of Kübler & Zhekova (2011) on any data: singletons kept or removed in
    key and response, what the response keeps (AllS, NoS, PronS, AttP), the twinless mentions.

    Example: corefbench singletons gold.conll system.conll --profiles semeval-2010,conll-2012
    """
    from corefbench.analysis.reading import read_whole
    from corefbench.analysis.singletons.study import singletons as study_singletons
    from corefbench.cli.bench import split
    from corefbench.cli.corpus import named
    from corefbench.cli.progress import reading_progress
    from corefbench.cli.steps import step_progress
    from corefbench.findings import Finding
    from corefbench.report.singletons import report_singletons

    shape = report_format(format)
    refuse_two_standard_inputs(key, *responses)
    _refuse_nonsense(key_singletons, chart, responses)
    heard: list[Finding] = []
    studies: dict[str, SingletonStudy] = {}
    with reading_progress(key, *responses) as advance, step_progress("profiles") as step:
        gold = read_whole(
            named(key),
            format=input_format,
            lenient=lenient,
            report=heard.append,
            advance=advance,
        )
        for name, response in zip(short_names(responses), responses, strict=True):
            studies[name] = study_singletons(
                gold,
                named(response),
                split(profiles),
                key_singletons=cast("Literal['keep', 'strip']", key_singletons),
                format=input_format,
                lenient=lenient,
                advance=advance,
                step=step,
                match=match,
                scope=scope,
                measures=measures,
            )
    if not quiet:
        say([*heard, *(f for study in studies.values() for f in study.findings)])
    if chart is not None:
        _draw(studies, chart)
    drawn = _inline(studies) if shape == "html" else ""
    emit(report_singletons(studies, shape, details=details, more=drawn), output)


def _refuse_nonsense(key_singletons: str, chart: Path | None, responses: list[str]) -> None:
    from corefbench.errors import UsageError

    if key_singletons not in ("strip", "keep"):
        raise UsageError(f"cannot {key_singletons} the key's singletons", expected="strip or keep")
    if chart is None:
        return
    from corefbench.report.charts import require_charts

    if len(responses) > 1:
        raise UsageError(
            "a chart shows one response",
            found=f"{len(responses)} responses",
            remedy="draw a chart for each",
        )
    require_charts(chart)


def _draw(studies: "Mapping[str, SingletonStudy]", chart: Path) -> None:
    from corefbench.report.charts import write_chart
    from corefbench.report.charts.singletons import singleton_chart

    for name, study in studies.items():
        write_chart(singleton_chart(study, name), chart)


def _inline(studies: "Mapping[str, SingletonStudy]") -> str:
    """The charts for a page; none where they cannot be drawn."""
    from corefbench.report.charts.inline import can_draw, inline_svg
    from corefbench.report.charts.singletons import singleton_chart

    if not can_draw():
        return ""
    return "".join(inline_svg(singleton_chart(study, name)) for name, study in studies.items())
