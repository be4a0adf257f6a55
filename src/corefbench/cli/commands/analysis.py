"""``corefbench errors``, ``singletons``, ``levels`` and ``oracle``: studies of responses and resolvers."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from corefbench.cli import options
from corefbench.cli.inputs import (
    corpus_source,
    corpus_sources,
    reading_bar,
    require_one_standard_input,
    short_names,
    split_names,
)
from corefbench.cli.output import ReportWriter
from corefbench.progress import ProgressBar

if TYPE_CHECKING:
    from corefbench.analysis.singletons import SingletonStudy
    from corefbench.diagnostics import Finding


def errors(
    key: options.Key,
    response: Annotated[str, typer.Argument(metavar="RESPONSE", help="The response to analyse.")],
    taxonomy: Annotated[str, typer.Option("--taxonomy", "-t", help="decisions, operations, links or all.")] = "all",
    by: Annotated[
        str | None,
        typer.Option(
            help="Break down by type, pronoun, gender, sentences (or distance), mentions, "
            "genre, document, length or size."
        ),
    ] = None,
    kind: Annotated[str | None, typer.Option("--class", help="Only this class, such as false-link.")] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE,…",
            help="Only errors of such mentions: type=pronoun, distance=0,1; with an attribute of the corpus, "
            "compare only such documents or mentions: kind=event, topic=36,37. May be repeated.",
        ),
    ] = None,
    examples: Annotated[int, typer.Option("--examples", "-n", min=0, help="Number of examples of each class.")] = 0,
    width: Annotated[int, options.output_option("Words shown around a mention.", min=0)] = 8,
    train: Annotated[
        str | None, typer.Option(help="The training corpus, for the share of low-frequency words.")
    ] = None,
    low_frequency: options.LowFrequency = 10,
    antecedents: Annotated[str, options.method_option("How links choose antecedents: closest or type.")] = "closest",
    profile: options.Profile = "conll-2012",
    match: options.Match = None,
    singletons: options.Singletons = None,
    zeros: options.Zeros = None,
    scope: options.Scope = None,
    measures: options.Measures = None,
    input_format: options.InputFormat = None,
    lenient: options.Lenient = False,
    format: options.Format = "table",
    chart: options.Chart = None,
    output: options.Output = None,
    quiet: options.Quiet = False,
) -> None:
    """Count and show the errors of a response, and what it would score without them.

    Example: corefbench errors gold.conll system.conll --by type --examples 2
    """
    from corefbench.analysis.errors import error_analysis
    from corefbench.analysis.errors.taxonomy import is_error_filter, parse_filters, select_taxonomies
    from corefbench.corpus.selection import join_selections
    from corefbench.report.errors import MAX_STRATA, ErrorReport, report_errors, strata_chart

    writer = ReportWriter(format, output, chart=chart, quiet=quiet)
    require_one_standard_input(key, response, train)
    contents = ErrorReport(
        name=Path(response).name or response,
        taxonomies=select_taxonomies(taxonomy, kind),
        by=by or "",
        examples=examples,
        width=width,
    )
    filters = parse_filters(kind, [text for text in only or () if is_error_filter(text)], by)
    selections = join_selections(text for text in only or () if not is_error_filter(text))
    with reading_bar(key, response) as bar:
        analysis = error_analysis(
            corpus_source(key),
            corpus_source(response),
            profile,
            train=None if train is None else corpus_source(train),
            low_frequency=low_frequency,
            antecedents=cast("Any", antecedents),
            format=input_format,
            lenient=lenient,
            advance=bar.advance,
            match=match,
            singletons=singletons,
            zeros=zeros,
            scope=scope,
            measures=measures,
            only=selections,
        )
    writer.print_findings(analysis.findings)
    drawing = ""
    # A page goes without a chart of so many strata that nobody could read it.
    if chart is not None or len(analysis.scores(by or "type")) <= MAX_STRATA:
        drawing = writer.draw(lambda: strata_chart(analysis, by or "type", contents.name))
    with ProgressBar("repairing errors", delay=0):
        text = report_errors(analysis.filter(**filters), contents, writer.format, more=drawing)
    writer.write(text)


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
    from corefbench.errors import UsageError
    from corefbench.report.studies import report_singletons, singleton_chart

    require_one_standard_input(key, *responses)
    if key_singletons not in ("strip", "keep"):
        raise UsageError(f"cannot {key_singletons} the key's singletons", expected="strip or keep")
    if chart is not None and len(responses) > 1:
        raise UsageError(
            "a chart shows one response", found=f"{len(responses)} responses", remedy="draw a chart for each"
        )
    writer = ReportWriter(format, output, chart=chart, quiet=quiet)
    findings: list[Finding] = []
    studies: dict[str, SingletonStudy] = {}
    with reading_bar(key, *responses) as bar:
        gold = read_whole(
            corpus_source(key), format=input_format, lenient=lenient, report=findings.append, advance=bar.advance
        )
    for name, response in zip(short_names(responses), responses, strict=True):
        with ProgressBar(f"{name}: settings") as bar:
            studies[name] = study_singletons(
                gold,
                corpus_source(response),
                split_names(profiles),
                key_singletons=cast("Any", key_singletons),
                format=input_format,
                lenient=lenient,
                step=bar.step,
                match=match,
                scope=scope,
                measures=measures,
            )
    writer.print_findings([*findings, *(f for study in studies.values() for f in study.findings)])
    drawings = [writer.draw(partial(singleton_chart, study, name)) for name, study in studies.items()]
    writer.write(report_singletons(studies, writer.format, details=details, more="".join(drawings)))


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
    only: options.Only = None,
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
    from corefbench.corpus.selection import join_selections
    from corefbench.report.studies import level_chart, report_levels

    writer = ReportWriter(format, output, chart=chart, quiet=quiet)
    require_one_standard_input(key, *responses)
    with reading_bar(key, *responses) as bar:
        study = study_levels(
            corpus_source(key),
            corpus_sources(responses),
            profile,
            levels=cast("Any", split_names(level)),
            clustering_scope=cast("Any", clustering_scope),
            format=input_format,
            lenient=lenient,
            advance=bar.advance,
            match=match,
            measures=measures,
            only=join_selections(only or ()),
        )
    writer.print_findings(study.findings)
    drawing = writer.draw(lambda: level_chart(study))
    writer.write(report_levels(study, writer.format, more=drawing))


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
    from corefbench.report.studies import oracle_chart, report_oracle

    writer = ReportWriter(format, output, chart=chart)
    with ProgressBar("documents") as bar:
        study = run_oracle(
            corpus_source(corpus),
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
    drawing = writer.draw(lambda: oracle_chart(study))
    writer.write(report_oracle(study, writer.format, more=drawing))
