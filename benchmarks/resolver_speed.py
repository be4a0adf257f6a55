"""Speed and memory of resolving.

End to end: raw text of the bundled corpus, repeated, through the built-in pipeline and Kennedy &
Boguraev, on one core, beside a trivial pass over the same text (splitting it at blanks). Resolvers
alone: over analyses that are there. Memory: 250 documents and 1,000, each run in a process of its
own. Writes docs/results/resolving.md.
"""

import argparse
import json
import resource
import subprocess
import sys

from benchmarks.page import Page, markdown_table
from benchmarks.process import best_time

_GOAL_ALL, _GOAL_ALONE = 2500, 20000
_RUNS = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--documents", type=int, help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> Page | None:
    """Measure speed here, and memory in child processes."""
    if arguments.documents:
        print(json.dumps(_memory(arguments.documents)))
        return None
    memory = [_started(count) for count in (100, 250, 1000)]
    text = _page(_end_to_end(), _alone(), memory)
    return Page("resolver-speed", text)


def _texts() -> list[str]:
    from corefbench.datasets.bundled import load_bundled
    from corefbench.preprocess.documents import make_input

    return [make_input(document, "nothing").text for document in load_bundled()]


def _end_to_end() -> list[list[str]]:
    from corefbench.preprocess import DEFAULT
    from corefbench.preprocess import make as make_preprocessor
    from corefbench.preprocess.base import Input
    from corefbench.preprocess.builder import build_discourse
    from corefbench.resolvers import make

    pipeline, resolver = make_preprocessor(DEFAULT), make("kennedy-boguraev")
    inputs = [Input(name=str(n), text=text) for n, text in enumerate(_texts())]
    list(pipeline.analyse(inputs[:1]))  # loads the weights
    words = sum(len(document.text.split()) for document in inputs)

    def everything() -> None:
        for analysis in pipeline.analyse(inputs):
            resolver.resolve(build_discourse(analysis))

    def trivial() -> None:
        for document in inputs:
            document.text.split()

    seconds, least = best_time(everything), best_time(trivial)
    return [
        ["raw text to chains, kennedy-boguraev", f"{words / seconds:,.0f}", f"{_GOAL_ALL:,}", f"{seconds / least:,.0f}"]
    ]


def _alone() -> list[list[str]]:
    from corefbench.bench.plan import PRONOUN_RESOLVERS
    from corefbench.datasets.bundled import load_bundled
    from corefbench.preprocess import DEFAULT
    from corefbench.preprocess import make as make_preprocessor
    from corefbench.preprocess.builder import build_discourse
    from corefbench.preprocess.documents import make_input
    from corefbench.resolvers import make

    analyses = list(make_preprocessor(DEFAULT).analyse(make_input(d, "nothing") for d in load_bundled()))
    words = sum(len(analysis.words) for analysis in analyses)
    discourses = [build_discourse(analysis) for analysis in analyses]
    rows = [["noun phrases", words / best_time(lambda: [build_discourse(a) for a in analyses])]]
    for name in PRONOUN_RESOLVERS:
        resolver = make(name)
        rows.append([name, words / best_time(lambda: [resolver.resolve(d) for d in discourses])])  # noqa: B023
    return [[str(name), f"{speed:,.0f}", f"{_GOAL_ALONE:,}"] for name, speed in rows]


def _memory(documents: int) -> dict[str, float]:
    """Resolve so many documents one after another; the peak in megabytes."""
    from corefbench.preprocess import DEFAULT
    from corefbench.preprocess import make as make_preprocessor
    from corefbench.preprocess.base import Input
    from corefbench.preprocess.builder import build_discourse
    from corefbench.resolvers import make

    texts, resolver = _texts(), make("kennedy-boguraev")
    inputs = (Input(name=str(n), text=texts[n % len(texts)] + f"\n\nNumber {n}.") for n in range(documents))
    for analysis in make_preprocessor(DEFAULT).analyse(inputs):
        resolver.resolve(build_discourse(analysis))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"documents": documents, "peak": peak}


def _started(documents: int) -> list[str]:
    command = [sys.executable, "-m", "benchmarks", "resolver-speed", "--documents", str(documents)]
    measured = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return [f"{documents:,}", f"{measured['peak']:.0f} MB"]


def _page(everything: list[list[str]], alone: list[list[str]], memory: list[list[str]]) -> str:
    first = ["what", "words/s", "goal", "times a split at blanks"]
    return (
        "# Speed of resolvers\n\n`python -m benchmarks resolver-speed`\n\n"
        "The bundled corpus on one core, processor time, least of "
        f"{_RUNS} runs.\n\n{markdown_table(first, everything)}\n\n"
        f"{markdown_table(['over analyses that are there', 'words/s', 'goal'], alone)}\n\n"
        f"## Memory\n\n{markdown_table(['documents', 'peak'], memory)}\n"
    )
