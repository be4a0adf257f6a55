"""``corefbench singletons``: measure what singletons do to a score."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from corefbench.cli import options
from corefbench.cli.inputs import reading_bar, resolve_corpus, short_names, split_names
from corefbench.cli.output import draw_chart, print_findings, require_chart, write_output

if TYPE_CHECKING:
    from corefbench.analysis.singletons import SingletonStudy


def singletons(
    key: options.Key,
    responses: options.Responses,
    profiles: Annotated[
        str, options.method_option("Comma-separated; see `corefbench profiles`.", "--profiles", "-p")
    ] = "semeval-2010,conll-2011,conll-2012",
    key_singletons: Annotated[
        str, options.method_option("strip or keep: the key that AllS, NoS, PronS and AttP are scored against.")
    ] = "strip",
    match: Annotated[str | None, options.method_option("The matching rule of all profiles.")] = None,
    scope: Annotated[str | None, options.method_option("document, subtopic, topic, corpus.")] = None,
    measures: Annotated[str | None, options.method_option("Comma-separated, such as mentions,muc,lea.")] = None,
    input_format: options.InputFormat = None,
    lenient: options.Lenient = False,
    details: Annotated[bool, options.output_option("Recall and precision beside F1.", "--details")] = False,
    format: options.Format = "table",
    chart: options.Chart = None,
    output: options.Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Score responses with and without singletons, and report what that alone changes.

    Repeats the experiments of Kübler & Zhekova (2011) on any data: singletons kept or removed in
    key and response, what the response keeps (AllS, NoS, PronS, AttP), the twinless mentions.

    Example: corefbench singletons gold.conll system.conll --profiles semeval-2010,conll-2012
    """
    from corefbench.analysis.singletons import singletons as study_singletons
    from corefbench.analysis.studies import read_whole
    from corefbench.cli.validation import parse_report_format, require_one_standard_input
    from corefbench.diagnostics import Finding
    from corefbench.progress import ProgressBar
    from corefbench.report.studies import report_singletons, singleton_chart

    report_format = parse_report_format(format)
    require_one_standard_input(key, *responses)
    _check_options(key_singletons, chart, responses)
    findings: list[Finding] = []
    studies: dict[str, SingletonStudy] = {}
    with reading_bar(key, *responses) as bar:
        gold = read_whole(
            resolve_corpus(key), format=input_format, lenient=lenient, report=findings.append, advance=bar.advance
        )
    for name, response in zip(short_names(responses), responses, strict=True):
        with ProgressBar(f"{name}: settings") as bar:
            studies[name] = study_singletons(
                gold,
                resolve_corpus(response),
                split_names(profiles),
                key_singletons=cast("Any", key_singletons),
                format=input_format,
                lenient=lenient,
                step=bar.step,
                match=match,
                scope=scope,
                measures=measures,
            )
    if not quiet:
        print_findings([*findings, *(f for study in studies.values() for f in study.findings)])
    drawings = [
        draw_chart(partial(singleton_chart, study, name), chart, report_format) for name, study in studies.items()
    ]
    text = report_singletons(studies, report_format, details=details, more="".join(drawings))
    write_output(text, output)


def _check_options(key_singletons: str, chart: Path | None, responses: list[str]) -> None:
    from corefbench.errors import UsageError

    if key_singletons not in ("strip", "keep"):
        raise UsageError(f"cannot {key_singletons} the key's singletons", expected="strip or keep")
    if chart is not None and len(responses) > 1:
        raise UsageError(
            "a chart shows one response", found=f"{len(responses)} responses", remedy="draw a chart for each"
        )
    require_chart(chart)
