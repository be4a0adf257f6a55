"""Which built-in pipeline serves resolvers better? ``python -m benchmarks pipelines``.

Success rates on the raw text of GUM dev, GAP's F1 on its development part, and words per second
from raw text to chains by Kennedy & Boguraev. The table of docs/decisions/0012.
"""

import argparse
import time

from benchmarks.data import corpus_folder
from benchmarks.page import Page, markdown_table

_PIPELINES = ("en", "en-accurate")
_RESOLVERS = ("kennedy-boguraev", "mars", "lappin-leass", "sieve")
_RUNS = 3


def run(arguments: argparse.Namespace) -> Page:
    """Measure and print."""
    columns = [_figures(name, arguments.jobs) | _speed(name) for name in _PIPELINES]
    rows = [[what, *(column[what] for column in columns)] for what in columns[0]]
    return Page("", markdown_table(["raw text", *_PIPELINES], rows))


def _figures(pipeline: str, jobs: int) -> dict[str, str]:
    from corefbench.bench.plan import Plan
    from corefbench.bench.run import run_bench
    from corefbench.datasets import load_dataset

    plan, root = Plan(resolvers=_RESOLVERS, preprocess=pipeline), corpus_folder("gum").parent
    figures = {}
    for performance in run_bench(load_dataset("gum/dev", root=root), plan, jobs=jobs).performances:
        rate = performance.rates.success_rate
        figures[f"GUM dev, {performance.resolver}, success rate"] = f"{100 * (rate.value or 0):.2f}"
    gap = load_dataset("gap/development", root=root)
    for performance in run_bench(gap, plan, jobs=jobs).performances:
        value = performance.gap.overall.f1 if performance.gap else 0.0
        figures[f"GAP development, {performance.resolver}, F1"] = f"{100 * value:.2f}"
    return figures


def _speed(pipeline: str) -> dict[str, str]:
    """From raw text to chains on one core, least of a few runs."""
    from corefbench.datasets.bundled import load_bundled
    from corefbench.preprocess import make as make_preprocessor
    from corefbench.preprocess.base import Input
    from corefbench.preprocess.builder import build_discourse
    from corefbench.preprocess.documents import make_input
    from corefbench.resolvers import make

    preprocessor, resolver = make_preprocessor(pipeline), make("kennedy-boguraev")
    texts = [make_input(document, "nothing").text for document in load_bundled()]
    inputs = [Input(name=str(number), text=text) for number, text in enumerate(texts)]
    seconds = []
    for _ in range(_RUNS + 1):  # the first one loads the weights
        begin = time.process_time()
        for analysis in preprocessor.analyse(inputs):
            resolver.resolve(build_discourse(analysis))
        seconds.append(time.process_time() - begin)
    words = sum(len(text.split()) for text in texts)
    return {"words/s to chains, kennedy-boguraev": f"{words / min(seconds):,.0f}"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jobs", type=int, default=1)
