"""Measure the shipped pipelines: ``python -m recipes.english.evaluate DATA [test|dev] [NAME]``.

Prints the figures; for the test sets it also writes ``docs/results/preprocessing.md``.
"""

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import process_time
from typing import NamedTuple

from corefbench.preprocess import make
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.base import Input, Preprocessor
from recipes.english import data
from recipes.english.conllu import Paragraph
from recipes.english.figures import NAMES, Figures
from recipes.english.goals import GOALS, Goals, misses
from recipes.english.gold import documents
from recipes.english.page import NOTES, PAGE

RESULTS = Path(__file__).parents[2] / "docs" / "results" / "preprocessing.md"
ONE_CORE = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

Sets = dict[str, Callable[[Path], list[Paragraph]]]
SETS: dict[str, Sets] = {
    "dev": {
        "EWT dev": lambda folder: data.ewt(folder, "dev"),
        "GUM dev, all genres": lambda folder: data.gum(folder, "dev", free=False),
        "GUM dev, genres in training": lambda folder: data.gum(folder, "dev", free=True),
    },
    "test": {
        "EWT test": lambda folder: data.ewt(folder, "test"),
        "GUM test, all genres": lambda folder: data.gum(folder, "test", free=False),
        "GUM test, genres in training": lambda folder: data.gum(folder, "test", free=True),
        "GENTLE (test2)": lambda folder: data.gum(folder, "test2", free=False),
    },
}


def evaluate(pipeline: Preprocessor, gold: list[Analysis]) -> tuple[Figures, float]:
    """The figures of a set, and the seconds of processor time that the pipeline took."""
    inputs = [Input(name=document.name, text=document.text) for document in gold]
    begin = process_time()
    found = list(pipeline.analyse(inputs))
    seconds = process_time() - begin
    figures = Figures()
    for right, analysis in zip(gold, found, strict=True):
        figures.add(right, analysis)
    return figures, seconds


def split_speed(gold: list[Analysis]) -> float:
    """Words per second of splitting the same texts at white space, for comparison."""
    begin = process_time()
    count = sum(len(document.text.split()) for _ in range(20) for document in gold)
    return count / (process_time() - begin)


class Measured(NamedTuple):
    """The figures of a set, words per second, and how many times as fast splitting is."""

    figures: Figures
    speed: float
    ratio: float


def measure(pipeline: Preprocessor, folder: Path, part: str) -> dict[str, Measured]:
    """The sets of a part, one by one."""
    next(iter(pipeline.analyse([Input(name="", text="Loaded before it is timed.")])))
    found = {}
    for name, read in SETS[part].items():
        gold = list(documents(read(folder)))
        figures, seconds = evaluate(pipeline, gold)
        speed = figures.words / seconds
        found[name] = Measured(figures, speed, split_speed(gold) / speed)
    return found


def table(measured: dict[str, Measured], goals: Goals) -> str:
    """The figures of all sets as a Markdown table."""
    lines = [
        f"| set | tokens | {' | '.join(NAMES)} | words/s | ÷ split |",
        f"|---|---|{'---|' * len(NAMES)}---|---|",
    ]
    for name, (figures, speed, ratio) in measured.items():
        cells = ["–" if figures[key] != figures[key] else f"{figures[key]:.1f}" for key in NAMES]
        lines.append(
            f"| {name} | {figures.words:,} | {' | '.join(cells)} | {speed:,.0f} | 1/{ratio:,.0f} |"
        )
    for name, row in goals.rows.items():
        cells = [str(row.get(key, "")) for key in NAMES]
        lines.append(f"| *goal, {name}* | | {' | '.join(cells)} | {goals.speed:,} | |")
    return "\n".join(lines)


def section(name: str, measured: dict[str, Measured], identity: str) -> str:
    """What the page says about a pipeline."""
    figures = {key: {n: row.figures[n] for n in NAMES} for key, row in measured.items()}
    missed = misses(GOALS[name], figures, {key: row.speed for key, row in measured.items()})
    return (
        f"## `{name}`\n\n{identity}\n\n{table(measured, GOALS[name])}\n\n{missed}\n\n{NOTES[name]}"
    )


def main(folder: Path, part: str, names: Iterable[str]) -> None:
    """Measure, print, and write the page where the test sets of all pipelines were asked for."""
    sections = []
    for name in names:
        pipeline = make(name)
        measured = measure(pipeline, folder, part)
        sys.stdout.write(f"{pipeline.identity}\n{table(measured, GOALS[name])}\n")
        if part == "test":
            sections.append(section(name, measured, pipeline.identity))
    if len(sections) == len(GOALS):
        RESULTS.write_text(PAGE + "\n".join(sections), encoding="utf-8")


if __name__ == "__main__":
    for variable in ONE_CORE:
        os.environ.setdefault(variable, "1")
    main(Path(sys.argv[1]), (sys.argv[2:] or ["test"])[0], sys.argv[3:] or GOALS)
