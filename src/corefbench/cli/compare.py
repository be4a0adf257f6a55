"""``corefbench compare``: are the differences between systems more than chance?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from corefbench.cli.options import (
    HOW,
    OUTPUT,
    Average,
    Chart,
    EngineName,
    Format,
    InputFormat,
    Jobs,
    Lenient,
    Match,
    Measures,
    Output,
    Profile,
    Quiet,
    RepeatLimit,
    Repeats,
    Scope,
    Singletons,
    Twinless,
    Zeros,
    emit,
    report_format,
)

if TYPE_CHECKING:
    from corefbench.analysis.comparison import Comparison


def _how(help: str, **more: Any) -> Any:
    return typer.Option(help=help, rich_help_panel=HOW, **more)


def compare(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="KEY SYSTEM… | RUN…", help="A key and its responses, or run files."),
    ],
    profile: Profile = "conll-2012",
    test: Annotated[str, _how("randomization or bootstrap, paired, over documents.")] = (
        "randomization"
    ),
    samples: Annotated[int, _how("Resamples.", min=1)] = 10_000,
    seed: Annotated[int, _how("0 is a seed.", min=0)] = 0,
    confidence: Annotated[float, _how("Of the intervals.")] = 0.95,
    alpha: Annotated[float, _how("Significant: adjusted p no more than this.")] = 0.05,
    correction: Annotated[str, _how("holm, bh (Benjamini & Hochberg) or none.")] = "holm",
    family: Annotated[
        str, _how("What p is adjusted for: measure (all pairs), all (pairs and measures).")
    ] = "measure",
    match: Match = None,
    singletons: Singletons = None,
    repeats: Repeats = None,
    twinless: Twinless = None,
    zeros: Zeros = None,
    scope: Scope = None,
    average: Average = None,
    measures: Measures = None,
    repeat_limit: RepeatLimit = None,
    input_format: InputFormat = None,
    lenient: Lenient = False,
    by: Annotated[
        str | None,
        typer.Option(help="`document`: F1 of every document too.", rich_help_panel=OUTPUT),
    ] = None,
    brief: Annotated[
        bool, typer.Option("--brief", help="Only the first table.", rich_help_panel=OUTPUT)
    ] = False,
    format: Format = "table",
    output: Output = None,
    chart: Chart = None,
    bibtex: Annotated[
        Path | None,
        typer.Option(
            help="Write what to cite to a file; - adds it to the report.", rich_help_panel=OUTPUT
        ),
    ] = None,
    jobs: Jobs = 1,
    engine: EngineName = "",
    quiet: Quiet = False,
) -> None:
    """Compare systems: scores with confidence intervals, and which differences are significant.

    Tests are paired and resample documents. Letters after a score name the systems it is
    significantly better than. With gold pronouns, McNemar's test compares how they were resolved.

    Example: corefbench compare gold.conll one.conll two.conll three.conll
    """
    from corefbench.analysis.comparison import Settings
    from corefbench.cli.comparing import comparison_of
    from corefbench.errors import UsageError
    from corefbench.report.compare import report_comparison

    shape = report_format(format)
    if by not in (None, "document"):
        raise UsageError(f"cannot report by {by!r}", expected="--by document")
    settings = Settings(
        test=test,  # type: ignore[arg-type]
        samples=samples,
        seed=seed,
        confidence=confidence,
        alpha=alpha,
        correction=correction,  # type: ignore[arg-type]
        family=family,  # type: ignore[arg-type]
    )
    settings.check()
    if chart is not None:
        from corefbench.report.charts import require_charts

        require_charts(chart)
    choices = {
        "match": match,
        "singletons": singletons,
        "repeats": repeats,
        "twinless": twinless,
        "zeros": zeros,
        "scope": scope,
        "average": average,
        "measures": measures,
        "repeat_limit": repeat_limit,
    }
    comparison = comparison_of(
        paths,
        settings,
        profile=profile,
        choices=choices,
        format=input_format,
        lenient=lenient,
        engine=engine,
        jobs=jobs,
        quiet=quiet,
    )
    _draw(comparison, chart)
    cite = bibtex is not None and str(bibtex) == "-"
    more = _inline_chart(comparison) if shape == "html" else ""
    text = report_comparison(
        comparison, shape, by_document=by == "document", brief=brief, cite=cite, more=more
    )
    emit(text, output)
    if bibtex is not None and not cite:
        from corefbench.bibliography import bibtex as entries

        emit(entries(comparison.cites), bibtex)


def _draw(comparison: "Comparison", chart: Path | None) -> None:
    if chart is not None:
        from corefbench.report.charts import write_chart
        from corefbench.report.charts.comparison import comparison_chart

        write_chart(comparison_chart(comparison), chart)


def _inline_chart(comparison: "Comparison") -> str:
    """The chart for a page; nothing where charts cannot be drawn."""
    from corefbench.report.charts.inline import can_draw, inline_svg

    if not can_draw():
        return ""
    from corefbench.report.charts.comparison import comparison_chart

    return inline_svg(comparison_chart(comparison))
