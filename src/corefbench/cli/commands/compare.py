"""``corefbench compare``: test whether systems differ significantly."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli import options
from corefbench.cli.inputs import corpus_source, reading_bar, require_one_standard_input, short_names
from corefbench.cli.output import ReportWriter, write_output
from corefbench.progress import ProgressBar

if TYPE_CHECKING:
    from corefbench.analysis.comparison import Comparison, Settings
    from corefbench.analysis.statistics.pronouns import Decisions
    from corefbench.runs import Run
    from corefbench.scoring.result import Result


def compare(
    paths: Annotated[
        list[str], typer.Argument(metavar="KEY SYSTEM… | RUN…", help="A key and its responses, or run files.")
    ],
    profile: options.Profile = "conll-2012",
    test: Annotated[str, options.method_option("randomization or bootstrap, paired, over documents.")] = (
        "randomization"
    ),
    samples: Annotated[int, options.method_option("Number of resamples.", min=1)] = 10_000,
    seed: Annotated[int, options.method_option("Random seed.", min=0)] = 0,
    confidence: Annotated[float, options.method_option("Confidence level of the intervals.")] = 0.95,
    alpha: Annotated[float, options.method_option("Significance level for the adjusted p.")] = 0.05,
    correction: Annotated[str, options.method_option("holm, bh (Benjamini & Hochberg) or none.")] = "holm",
    family: Annotated[
        str, options.method_option("p is adjusted for: measure (all pairs), all (pairs and measures).")
    ] = "measure",
    match: options.Match = None,
    singletons: options.Singletons = None,
    repeats: options.Repeats = None,
    twinless: options.Twinless = None,
    zeros: options.Zeros = None,
    scope: options.Scope = None,
    average: options.Average = None,
    measures: options.Measures = None,
    repeat_limit: options.RepeatLimit = None,
    only: options.Only = None,
    input_format: options.InputFormat = None,
    lenient: options.Lenient = False,
    by: options.ByDocument = None,
    brief: options.Brief = False,
    format: options.Format = "table",
    output: options.Output = None,
    chart: options.Chart = None,
    bibtex: Annotated[
        Path | None, options.output_option("Write the references as BibTeX; - adds them to the report.")
    ] = None,
    jobs: options.Jobs = 1,
    engine: options.EngineName = "",
    quiet: options.Quiet = False,
) -> None:
    """Compare systems: scores with confidence intervals, and which differences are significant.

    Tests are paired and resample documents. Letters after a score name the systems it is
    significantly better than. With gold pronouns, McNemar's test compares how they were resolved.

    Example: corefbench compare gold.conll one.conll two.conll three.conll
    """
    from corefbench.analysis.comparison import Settings
    from corefbench.corpus.selection import join_selections
    from corefbench.report.comparison import comparison_chart, report_comparison

    writer = ReportWriter(format, output, chart=chart, quiet=quiet)
    by_document = options.is_broken_down(by)
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
    runs = _open_runs(paths)
    if runs and next(iter(runs.values())).kind == "bench":
        comparison = _compare_benches(runs, settings)
    else:
        if runs:
            results, decisions = _results_of_runs(runs)
        else:
            results, decisions = _score_files(
                paths,
                profile,
                lenient=lenient,
                format=input_format,
                engine=engine,
                jobs=jobs,
                overrides={
                    "match": match,
                    "singletons": singletons,
                    "repeats": repeats,
                    "twinless": twinless,
                    "zeros": zeros,
                    "scope": scope,
                    "average": average,
                    "measures": measures,
                    "repeat_limit": repeat_limit,
                    "only": join_selections(only or ()),
                },
            )
        writer.print_findings(finding for result in results.values() for finding in result.findings)
        comparison = _compare_results(results, decisions, settings)
    cite = bibtex is not None and str(bibtex) == "-"
    text = report_comparison(
        comparison,
        writer.format,
        by_document=by_document,
        brief=brief,
        cite=cite,
        more=writer.draw(lambda: comparison_chart(comparison)),
    )
    writer.write(text)
    if bibtex is not None and not cite:
        from corefbench.citations import bibtex as format_bibtex

        write_output(format_bibtex(comparison.cites), bibtex)


def _score_files(
    paths: Sequence[str],
    profile: str,
    *,
    overrides: Mapping[str, str | None],
    format: str | None,
    lenient: bool,
    engine: str,
    jobs: int,
) -> "tuple[dict[str, Result], dict[str, Decisions]]":
    """Score the responses against the key, and judge their pronouns if there are several."""
    from corefbench.analysis.statistics.pronouns import pronoun_decisions
    from corefbench.errors import UsageError
    from corefbench.scoring.api import score_each

    key, *systems = paths
    if not systems:
        raise UsageError(
            "there is nothing to compare",
            found=key,
            expected="a key and its responses, or run files",
            remedy="corefbench compare KEY SYSTEM SYSTEM …",
        )
    require_one_standard_input(*paths)
    responses = dict(zip(short_names(systems), systems, strict=True))
    if len(responses) < len(systems):
        raise UsageError("a system is given twice", found=" ".join(systems))
    gold = corpus_source(key)
    with reading_bar(*paths) as bar:
        results = score_each(
            gold,
            responses,
            profile,
            lenient=lenient,
            format=format,
            advance=bar.advance,
            engine=engine,
            jobs=jobs,
            **overrides,
        )
    if "-" in paths or len(systems) < 2:  # standard input cannot be read again for its words
        return results, {}
    return results, pronoun_decisions(gold, responses, profile, format=format, lenient=lenient, **overrides)


def _open_runs(paths: Sequence[str]) -> "dict[str, Run]":
    """Open run files by short name; raise if only some paths are runs, or kinds differ."""
    from corefbench.errors import UsageError
    from corefbench.runs import is_run, open_run

    names = short_names(paths)
    are_runs = [Path(path).is_file() and is_run(Path(path)) for path in paths]
    runs = {name: open_run(Path(path)) for name, path, is_one in zip(names, paths, are_runs, strict=True) if is_one}
    if runs and (not all(are_runs) or len({run.kind for run in runs.values()}) > 1):
        raise UsageError(
            "run files are compared with run files of their kind",
            found=", ".join(
                f"{path} ({runs[name].kind} run)" if name in runs else f"{path} (no run)"
                for name, path in zip(names, paths, strict=True)
            ),
            expected="RUN RUN …, or KEY SYSTEM SYSTEM …",
        )
    return runs


def _results_of_runs(runs: "Mapping[str, Run]") -> "tuple[dict[str, Result], dict[str, Decisions]]":
    """Collect the results of all runs, prefixed by the run if two have the same name."""
    from corefbench.analysis.statistics.pronouns import pronoun_decisions

    # Systems of different runs are often called the same, such as "system".
    names = [name for run in runs.values() for name in run.results]
    are_unique = len(set(names)) == len(names)
    results: dict[str, Result] = {}
    decisions: dict[str, Decisions] = {}
    for file, run in runs.items():
        labels = {name: name if are_unique else f"{file}: {name}" for name in run.results}
        results |= {labels[name]: result for name, result in run.results.items()}
        corpora = run.corpora()
        profile = next(iter(run.results.values())).profile
        judged = pronoun_decisions(corpora.key, corpora.responses, profile)
        decisions |= {labels[name]: verdicts for name, verdicts in judged.items()}
    return results, decisions


def _compare_results(
    results: "Mapping[str, Result]", decisions: "Mapping[str, Decisions]", settings: "Settings"
) -> "Comparison":
    from msgspec.structs import asdict

    from corefbench.analysis.comparison import compare

    documents = len(next(iter(results.values())).documents)
    with _resampling_bar(settings, documents) as bar:
        return compare(results, **asdict(settings), decisions=decisions, advance=bar.advance)


def _compare_benches(runs: "Mapping[str, Run]", settings: "Settings") -> "Comparison":
    from corefbench.bench.run import compare_benches

    benches = {name: run.bench for name, run in runs.items()}
    documents = len(next(iter(benches.values())).documents)
    with _resampling_bar(settings, documents) as bar:
        return compare_benches(benches, settings, advance=bar.advance)


def _resampling_bar(settings: "Settings", documents: int) -> ProgressBar:
    # Few documents have fewer different samples than were asked for: all of them are tried.
    return ProgressBar("resampling", total=min(settings.samples, 2 ** min(documents, 60)))
