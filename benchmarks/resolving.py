"""How fast is resolving, and does memory grow? ``python -m benchmarks.resolving``.

End to end: raw text of the bundled corpus, repeated, through the built-in pipeline and Kennedy &
Boguraev, on one core, beside a trivial pass over the same text (splitting it at blanks). Resolvers
alone: over analyses that are there. Memory: 250 documents and 1,000, each run in a process of its
own. Writes docs/results/resolving.md.
"""

import json
import resource
import subprocess
import sys
import time

from benchmarks.pages import RESULTS, table

_GOAL_ALL, _GOAL_ALONE = 2500, 20000
_RUNS = 3


def main() -> None:
    """Measure in small processes, print and write the page."""
    if len(sys.argv) > 1:
        print(json.dumps(_memory(int(sys.argv[1]))))
        return
    memory = [_started(count) for count in (100, 250, 1000)]
    text = _page(_end_to_end(), _alone(), memory)
    print(text)
    (RESULTS / "resolving.md").write_text(text, encoding="utf-8")


def _texts() -> list[str]:
    from corefbench.bundled import bundled
    from corefbench.preprocess.text import input_of

    return [input_of(document, "nothing").text for document in bundled()]


def _end_to_end() -> list[list[str]]:
    from corefbench.preprocess import DEFAULT
    from corefbench.preprocess import make as make_preprocessor
    from corefbench.preprocess.base import Input
    from corefbench.preprocess.build import discourse_of
    from corefbench.resolvers import make

    pipeline, resolver = make_preprocessor(DEFAULT), make("kennedy-boguraev")
    inputs = [Input(name=str(n), text=text) for n, text in enumerate(_texts())]
    list(pipeline.analyse(inputs[:1]))  # loads the weights
    words = sum(len(given.text.split()) for given in inputs)

    def everything() -> None:
        for analysis in pipeline.analyse(inputs):
            resolver.resolve(discourse_of(analysis))

    def trivial() -> None:
        for given in inputs:
            given.text.split()

    seconds, least = _least(everything), _least(trivial)
    return [
        [
            "raw text to chains, kennedy-boguraev",
            f"{words / seconds:,.0f}",
            f"{_GOAL_ALL:,}",
            f"{seconds / least:,.0f}",
        ]
    ]


def _alone() -> list[list[str]]:
    from corefbench.bench.plan import PRONOUN_RESOLVERS
    from corefbench.bundled import bundled
    from corefbench.preprocess import DEFAULT
    from corefbench.preprocess import make as make_preprocessor
    from corefbench.preprocess.build import discourse_of
    from corefbench.preprocess.text import input_of
    from corefbench.resolvers import make

    analyses = list(make_preprocessor(DEFAULT).analyse(input_of(d, "nothing") for d in bundled()))
    words = sum(len(analysis.words) for analysis in analyses)
    found = [discourse_of(analysis) for analysis in analyses]
    rows = [["noun phrases", words / _least(lambda: [discourse_of(a) for a in analyses])]]
    for name in PRONOUN_RESOLVERS:
        resolver = make(name)
        rows.append([name, words / _least(lambda: [resolver.resolve(d) for d in found])])  # noqa: B023
    return [[str(name), f"{speed:,.0f}", f"{_GOAL_ALONE:,}"] for name, speed in rows]


def _least(work: object) -> float:
    best = float("inf")
    for _ in range(_RUNS):
        began = time.process_time()
        work()  # type: ignore[operator]
        best = min(best, time.process_time() - began)
    return best


def _memory(documents: int) -> dict[str, float]:
    """Resolve so many documents one after another; the peak in megabytes."""
    from corefbench.preprocess import DEFAULT
    from corefbench.preprocess import make as make_preprocessor
    from corefbench.preprocess.base import Input
    from corefbench.preprocess.build import discourse_of
    from corefbench.resolvers import make

    texts, resolver = _texts(), make("kennedy-boguraev")
    inputs = (
        Input(name=str(n), text=texts[n % len(texts)] + f"\n\nNumber {n}.")
        for n in range(documents)
    )
    for analysis in make_preprocessor(DEFAULT).analyse(inputs):
        resolver.resolve(discourse_of(analysis))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"documents": documents, "peak": peak}


def _started(documents: int) -> list[str]:
    command = [sys.executable, "-m", "benchmarks.resolving", str(documents)]
    said = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return [f"{documents:,}", f"{said['peak']:.0f} MB"]


def _page(everything: list[list[str]], alone: list[list[str]], memory: list[list[str]]) -> str:
    first = ["what", "words/s", "goal", "times a split at blanks"]
    return (
        "# Resolving\n\n`python -m benchmarks.resolving`\n\n"
        "The bundled corpus on one core, processor time, least of "
        f"{_RUNS} runs.\n\n{table(first, everything)}\n\n"
        f"{table(['over analyses that are there', 'words/s', 'goal'], alone)}\n\n"
        f"## Memory\n\n{table(['documents', 'peak'], memory)}\n"
    )


if __name__ == "__main__":
    main()
