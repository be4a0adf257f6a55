"""What ``corefbench compare`` compares: a key and its responses, or run files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from corefbench.cli.options import refuse_two_standard_inputs, say, short_names

if TYPE_CHECKING:
    from corefbench.analysis.comparison import Comparison, Decisions, Settings
    from corefbench.runs import Run
    from corefbench.scoring.result import Result

_WORTH_A_BAR = 30_000_000
"""Pairs × samples × documents that take about a second."""


def comparison_of(
    paths: Sequence[str],
    settings: "Settings",
    *,
    profile: str,
    choices: Mapping[str, str | None],
    format: str | None,
    lenient: bool,
    engine: str,
    jobs: int,
    quiet: bool,
) -> "Comparison":
    """The comparison of what the paths name."""
    from corefbench.analysis.comparison import compare

    runs = _runs(paths)
    if runs and next(iter(runs.values())).kind == "bench":
        return _of_benches(runs, settings)
    if runs:
        results, decisions = _of_runs(runs)
    else:
        results, decisions = _of_files(paths, profile, choices, format, lenient, engine, jobs)
    if not quiet:
        say(finding for result in results.values() for finding in result.findings)
    documents = len(next(iter(results.values())).documents)
    with resampling_progress(len(results), settings.samples, documents) as advance:
        return compare(results, **asdict(settings), decisions=decisions, advance=advance)


def _of_files(
    paths: Sequence[str],
    profile: str,
    choices: Mapping[str, str | None],
    format: str | None,
    lenient: bool,
    engine: str,
    jobs: int,
) -> "tuple[dict[str, Result], dict[str, Decisions]]":
    from corefbench.analysis.comparison import pronoun_decisions
    from corefbench.cli.corpus import named
    from corefbench.cli.progress import reading_progress
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
    refuse_two_standard_inputs(*paths)
    responses = dict(zip(short_names(systems), systems, strict=True))
    if len(responses) < len(systems):
        raise UsageError("a system is given twice", found=" ".join(systems))
    gold = named(key)
    with reading_progress(*paths) as advance:
        results = score_each(
            gold,
            responses,
            profile,
            lenient=lenient,
            format=format,
            advance=advance,
            engine=engine,
            jobs=jobs,
            **choices,
        )
    if "-" in paths or len(systems) < 2:  # standard input cannot be read again for its words
        return results, {}
    decisions = pronoun_decisions(
        gold, responses, profile, format=format, lenient=lenient, **choices
    )
    return results, decisions


def _runs(paths: Sequence[str]) -> "dict[str, Run]":
    """The runs, where the paths are run files; some alone make no sense."""
    from corefbench.errors import UsageError
    from corefbench.runs import is_run, open_run

    found = [Path(path).is_file() and is_run(Path(path)) for path in paths]
    if not any(found):
        return {}
    runs = {
        name: open_run(Path(path))
        for name, path, run in zip(short_names(paths), paths, found, strict=True)
        if run
    }
    kinds = {run.kind for run in runs.values()}
    if not all(found) or len(kinds) > 1:
        raise UsageError(
            "run files are compared with run files of their kind",
            found=", ".join(
                f"{path} ({runs[name].kind} run)" if name in runs else f"{path} (no run)"
                for name, path in zip(short_names(paths), paths, strict=True)
            ),
            expected="RUN RUN …, or KEY SYSTEM SYSTEM …",
        )
    return runs


def _of_runs(runs: "Mapping[str, Run]") -> "tuple[dict[str, Result], dict[str, Decisions]]":
    """The results of all runs; where two have one name, each is called by its run too."""
    names = [name for run in runs.values() for name in run.results]
    alone = len(set(names)) == len(names)
    results: dict[str, Result] = {}
    decisions: dict[str, Decisions] = {}
    for file, run in runs.items():
        called = {name: name if alone else f"{file}: {name}" for name in run.results}
        results |= {called[name]: result for name, result in run.results.items()}
        decisions |= {called[name]: found for name, found in _decided(run).items()}
    return results, decisions


def _decided(run: "Run") -> "dict[str, Decisions]":
    from corefbench.analysis.comparison import pronoun_decisions

    corpora = run.corpora()
    profile = next(iter(run.results.values())).profile
    return pronoun_decisions(corpora.key, corpora.responses, profile)


def _of_benches(runs: "Mapping[str, Run]", settings: "Settings") -> "Comparison":
    from corefbench.analysis.comparison import compare_benches

    benches = {name: run.bench for name, run in runs.items()}
    systems = sum(len(bench.performances) for bench in benches.values())
    documents = len(next(iter(benches.values())).documents)
    with resampling_progress(systems, settings.samples, documents) as advance:
        return compare_benches(benches, settings, advance=advance)


@contextmanager
def resampling_progress(
    systems: int, samples: int, documents: int
) -> Iterator[Callable[[int], None] | None]:
    """A bar for work of more than a second, where somebody looks."""
    import sys

    work = systems * (systems - 1) // 2 * samples * documents
    if work < _WORTH_A_BAR or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("resampling"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("resampling", total=min(samples, 2 ** min(documents, 60)))
        yield lambda count: progress.update(task, advance=count)
