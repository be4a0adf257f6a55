"""``corefbench resolve``, ``bench``, ``train`` and ``predict``: run, compare and train resolvers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from corefbench.cli import options
from corefbench.cli.inputs import corpus_source, load_corpus, split_names
from corefbench.cli.output import ReportWriter, print_findings, standard_output, write_corpus, write_output
from corefbench.progress import ProgressBar, track_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefbench.corpus.corpus import Corpus
    from corefbench.resolvers.base import Resolution
    from corefbench.resolvers.cross_document.linking import LinkingStats
    from corefbench.resolvers.training import Report, TrainingConfig


def resolve(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]", help="Text or a corpus: a file, a folder, a pattern, or - for standard input."
        ),
    ] = None,
    text: Annotated[str | None, typer.Option(help="The text itself instead of a file.")] = None,
    resolver: Annotated[
        str, typer.Option("--resolver", "-r", help="Such as kb, mitkov or cogniac; see --list.")
    ] = "sieve",
    preprocess: options.Preprocess = "",
    given: Annotated[
        str, options.method_option("What to keep of the file: nothing (raw text), tokens, sentences, mentions.")
    ] = "nothing",
    input_format: Annotated[
        str | None, typer.Option(help="The format of the input; detected by default, else text.")
    ] = None,
    to: Annotated[str | None, options.output_option("The output format; by default from the extension.")] = None,
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    output: Annotated[Path | None, options.output_option("Write to a file.", "--output", "-o")] = None,
    explain: Annotated[bool, options.output_option("Show candidates and reasons.", "--explain")] = False,
    list_all: Annotated[bool, options.output_option("List the resolvers and exit.", "--list")] = False,
) -> None:
    """Resolve the anaphors of a text, and show or write the chains.

    Example: corefbench resolve story.txt --resolver mitkov --explain
    """
    if list_all:
        _print_resolvers()
        return
    from corefbench.engine import is_parallel
    from corefbench.errors import UsageError
    from corefbench.formats.convert import convert
    from corefbench.formats.load import load
    from corefbench.preprocess import DEFAULT
    from corefbench.resolvers import make
    from corefbench.resolvers.resolve import read_discourses, read_text, resolve_corpus, resolve_each
    from corefbench.resolvers.response import answer_corpus, to_corpus

    if (source is None) == (text is None):
        raise UsageError("there is nothing to resolve", expected="a file, or --text TEXT")
    if given not in ("nothing", "tokens", "sentences", "mentions"):
        raise UsageError(f"nothing of a file is called {given!r}", expected="nothing, tokens, sentences or mentions")
    chosen = make(resolver)
    pipeline = preprocess or chosen.card.preprocess or DEFAULT
    reading: dict[str, Any] = {
        "preprocess": pipeline,
        "keep": "sentences" if given == "mentions" else given,
        "mentions": given == "mentions",
        "format": input_format,
    }
    are_written = output is not None or to is not None
    tokenized: Corpus | None = None
    if source is None:
        answers = resolve_each(chosen, [read_text(text or "", preprocess=pipeline)])
    else:
        reading["format"] = input_format or _default_format(source)
        documents: str | Corpus = source
        if are_written and reading["format"] != "text":
            documents = tokenized = load(source, format=reading["format"])
        if is_parallel(engine, jobs):
            answers = resolve_corpus(resolver, documents, **reading, engine=engine, jobs=jobs)
        else:
            answers = resolve_each(chosen, read_discourses(documents, **reading))
    resolutions = _print_findings_of(track_documents(answers, are_printed=not are_written))
    if are_written:
        with standard_output("-" if output is None else str(output)) as path:
            response = to_corpus(resolutions) if tokenized is None else answer_corpus(tokenized, resolutions)
            convert(response, path, output_format=to)
    else:
        # A text file is one document: its name as a title says nothing new.
        has_titles = source not in (None, "-") and not str(source).endswith(".txt")
        for resolution in resolutions:
            _print_resolution(resolution, explain, has_title=has_titles)


def _print_findings_of(resolutions: "Iterator[Resolution]") -> "Iterator[Resolution]":
    for resolution in resolutions:
        print_findings(resolution.findings)
        yield resolution


def _default_format(source: str) -> str | None:
    """Return ``text`` for .txt files and standard input, since plain text is never detected."""
    if source == "-":
        return "text"
    from corefbench.formats.load import expand_pattern

    paths = [Path(str(path)) for path in expand_pattern(source)]
    suffixes = {file.suffix.lower() for path in paths for file in _files_below(path)}
    return "text" if suffixes and suffixes <= {".txt", ".text", ""} else None


def _files_below(path: Path) -> list[Path]:
    return [p for p in path.rglob("[!.]*") if p.is_file()] if path.is_dir() else [path]


def _print_resolution(resolution: "Resolution", explain: bool, *, has_title: bool) -> None:
    from rich.console import Console

    from corefbench.report.chains import explain_decisions, mark_chains

    console = Console(soft_wrap=True, highlight=False)
    if has_title:
        console.print(f"# {resolution.discourse.analysis.name}", markup=False)
    text = mark_chains(resolution)
    text.rstrip()
    console.print(text)
    if explain:
        console.print()
        console.print(explain_decisions(resolution), markup=False)


def _print_resolvers() -> None:
    from corefbench.resolvers import resolvers

    for name in resolvers:
        card = resolvers[name].card  # type: ignore[attr-defined]
        also = ", ".join(resolvers.aliases_of(name))
        typer.echo(f"{name + (f' ({also})' if also else ''):28} {card.description}")
        for parameter in card.parameters:
            default = parameter.default
            shown = str(default).lower() if isinstance(default, bool) else default
            typer.echo(f"    {parameter.name}={shown}: {parameter.meaning}")
        if card.needs:
            typer.echo(f"    needs: {card.needs}")


def bench(
    corpus: options.NamedCorpus,
    resolvers: options.Resolvers = None,
    mode: Annotated[
        str, options.method_option("automatic: raw text. annotated: the key's tokens, mentions and syntax.")
    ] = "automatic",
    preprocess: options.Preprocess = "",
    mentions: Annotated[str, options.method_option("gold or predicted; by default by mode.")] = "",
    match: Annotated[str, options.method_option("How phrases match mentions of the key: head or exact.")] = "head",
    cataphora: Annotated[bool, options.method_option("Count pronouns that begin their chain.", "--cataphora")] = False,
    profile: Annotated[str, options.method_option("The protocol of the coreference scores.")] = "conll-2012",
    cache: options.Cache = True,
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    input_format: options.InputFormat = None,
    format: options.Format = "table",
    brief: options.Brief = False,
    output: options.Output = None,
    run: options.RunFile = None,
    report: Annotated[Path | None, options.output_option("Write an HTML report.")] = None,
) -> None:
    """Compare resolvers on the same pre-processing and the same data.

    Prints success rates and related measures, the tables of Barbu & Mitkov (2001), and tests of the
    differences.

    Example: corefbench bench corpus.conllu --resolvers kb,cogniac,mitkov --mode annotated
    """
    from corefbench.bench.plan import PRONOUN_RESOLVERS, Plan
    from corefbench.bench.run import run_bench
    from corefbench.cli.run_metadata import Stopwatch, command_line, current_time
    from corefbench.report.bench import report_bench

    writer = ReportWriter(format, output)
    plan = Plan(
        resolvers=split_names(resolvers) if resolvers else PRONOUN_RESOLVERS,
        mode=mode,  # type: ignore[arg-type]
        preprocess=preprocess,
        mentions=mentions,  # type: ignore[arg-type]
        match=match,  # type: ignore[arg-type]
        cataphora=cataphora,
        profile=profile,
        cache=cache,
    )
    source, stopwatch = corpus_source(corpus), Stopwatch()
    with ProgressBar("documents") as bar:
        result = run_bench(
            source, plan, format=input_format, engine=engine, jobs=jobs, begin=bar.begin, advance=bar.advance
        )
    if run is not None:
        from corefbench.runs import write_run
        from corefbench.runs.record import record_bench

        recorded = record_bench(
            result,
            created=current_time(),
            command=command_line(),
            timing=stopwatch.timing(),
            source=source if isinstance(source, str) else None,
            format=input_format,
        )
        write_run(recorded, run)
    writer.write(report_bench(result, writer.format, tables=not brief))
    print_findings(finding for performance in result.performances for finding in performance.findings)
    if report is not None:
        write_output(report_bench(result, "html"), report)


def train(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="A TOML file.")],
    output: Annotated[Path, options.output_option("The folder for the model.", "--output", "-o")] = Path("model"),
    curve: Annotated[
        str | None,
        options.method_option("Train on growing shares of the documents, such as 0.1,0.25,0.5,1.", metavar="SHARES"),
    ] = None,
    chart: options.Chart = None,
    quiet: Annotated[bool, options.output_option("No progress.", "--quiet", "-q")] = False,
) -> None:
    """Train a resolver; a run that was interrupted resumes where it stopped.

    Example: corefbench train examples/training/ubiu-tiny.toml --output models/ubiu
    """
    from corefbench.errors import UsageError
    from corefbench.resolvers.training import read_config
    from corefbench.resolvers.training import train as train_model

    def log(line: str) -> None:
        if not quiet:
            typer.echo(line, err=True)

    settings = read_config(config)
    if curve is not None:
        _train_curve(settings, curve, output, ReportWriter("table", chart=chart), log)
        return
    if chart is not None:
        raise UsageError("a chart is drawn of a learning curve", expected="--curve SHARES")
    card = train_model(settings, output, log)
    scores = ", ".join(f"{name} {100 * value:.2f}" for name, value in card.scores.items())
    typer.echo(f"{output}: {card.kind}, development {scores or 'not scored'}")


def _train_curve(config: "TrainingConfig", shares: str, output: Path, writer: ReportWriter, log: "Report") -> None:
    from corefbench.analysis.learning_curve import train_curve
    from corefbench.errors import UsageError
    from corefbench.report.learning_curve import curve_table, learning_chart
    from corefbench.report.renderers import render_table

    try:
        fractions = [float(share) for share in shares.split(",") if share.strip()]
    except ValueError as error:
        raise UsageError("a share is a number", found=shares, expected="such as 0.1,0.25,0.5,1") from error
    result = train_curve(config, fractions, output, log)
    writer.write(render_table(curve_table(result), "table"))
    writer.draw(lambda: learning_chart(result))


def predict(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The folder of a trained model.")],
    corpus: options.NamedCorpus,
    output: Annotated[str, options.output_option("A file, or - for standard output.", "--output", "-o")] = "-",
    to: Annotated[str | None, options.output_option("The format; by default from the extension, else CoNLL.")] = None,
    mentions: Annotated[
        str, options.method_option("predicted, or those of the corpus: gold, non-singleton.")
    ] = "predicted",
    scope: Annotated[
        str,
        options.method_option(
            "How far chains of a cross-document model reach: document, subtopic, topic, "
            "corpus, or predicted; by default as trained."
        ),
    ] = "",
    linking: Annotated[
        str,
        options.method_option(
            "How a cross-document model compares mentions: exact (all pairs of a group), "
            "blocked (candidates only), or auto (by the size of the group)."
        ),
    ] = "auto",
    preprocess: options.Preprocess = "",
    input_format: options.InputFormat = None,
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    quiet: options.Quiet = False,
) -> None:
    """Resolve a corpus with a trained model and write the response.

    Example: corefbench predict models/ubiu gum/dev --output response.conll
    """
    from corefbench.resolvers.predict import predict as predict_corpus

    source = load_corpus(corpus, input_format, quiet=True)
    stats: list[LinkingStats] = []
    with ProgressBar("resolving") as bar:
        response = predict_corpus(
            model,
            source,
            mentions=mentions,  # type: ignore[arg-type]
            preprocess=preprocess,
            step=bar.step,
            engine=engine,
            jobs=jobs,
            scope=scope,
            linking=linking,
            tell=stats.append,
        )
    for line in stats[0].lines() if stats and not quiet else ():
        typer.echo(line, err=True)
    write_corpus(response, output, to or ("conll" if output == "-" else None), quiet=quiet)
