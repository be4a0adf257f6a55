"""Speed of de-duplication.

Generated documents of 100 to 560 words drawn by Zipf's law, of which every twentieth repeats an
earlier one with a few words changed or left out. The whole command is measured, reading and writing
jsonlines included, beside a trivial pass over the same file: reading every line and counting its
words. Processor time and peak memory of child processes. Writes docs/results/deduplicating.md.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.page import Page, markdown_table
from benchmarks.process import Limits, Usage, run_command

_GOAL = 120.0
_SIZES = (12_500, 25_000, 50_000, 100_000)
_LIMITS = Limits(seconds=600, bytes=9 << 30)
_KINDS = {
    "zipf": "100,000 words by Zipf's law, every twentieth document a near-duplicate",
    "small": "3,000 words by Zipf's law, as in texts for pre-school readers",
    "copies": "near-duplicates of one another, all of them",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--largest", type=int, default=_SIZES[-1])
    parser.add_argument("--write", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--pass-over", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> Page | None:
    """Measure, or do the work of one of the child processes."""
    if arguments.write:
        kind, count, path = arguments.write
        _write(kind, int(count), Path(path))
        return None
    if arguments.pass_over:
        _pass_over(Path(arguments.pass_over))
        return None
    text = _page(_measured(arguments.largest))
    return Page("deduplication", text, is_complete=arguments.largest == _SIZES[-1])


def _measured(largest: int) -> list[list[str]]:
    cases = [("zipf", count) for count in _SIZES if count <= largest]
    cases += [("small", largest), ("copies", largest)]
    return [_case(kind, count) for kind, count in cases]


def _case(kind: str, count: int) -> list[str]:
    """One row: documents are made, passed over and de-duplicated, each in a process of its own."""
    this = [sys.executable, "-m", "benchmarks", "deduplication"]
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/corpus.jsonlines"
        _done(run_command([*this, "--write", kind, str(count), path], _LIMITS))
        trivial = _done(run_command([*this, "--pass-over", path], _LIMITS))
        command = [sys.executable, "-m", "corefbench", "deduplicate", path, "--format", "json"]
        used = _done(run_command([*command, "-o", f"{folder}/kept.jsonlines"], _LIMITS))
        words = int(trivial.output)
        dropped = count - json.loads(used.output)["kept"]
    return [
        kind,
        f"{count:,}",
        f"{words:,}",
        f"{dropped:,}",
        f"{used.processor:.1f} s",
        f"{used.processor / trivial.processor:.1f}",
        f"{used.peak / (1 << 20):,.0f} MB",
    ]


def _done(usage: Usage) -> Usage:
    if usage.outcome != "done":
        sys.exit(f"{usage.outcome}: {usage.errors}")
    return usage


def _pass_over(path: Path) -> None:
    words: Counter[str] = Counter()
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            for sentence in json.loads(line)["sentences"]:
                words.update(sentence)
    print(words.total())


def _write(kind: str, count: int, path: Path) -> None:
    with path.open("w", encoding="utf-8") as lines:
        for number, words in enumerate(_documents(kind, count)):
            document = {"doc_key": f"d{number}_0", "sentences": [words], "clusters": []}
            lines.write(json.dumps(document, separators=(",", ":")) + "\n")


def _documents(kind: str, count: int) -> Iterator[list[str]]:
    import numpy as np

    chance = np.random.default_rng(0)
    size = 3_000 if kind == "small" else 100_000
    share = 1 / np.arange(1, size + 1)
    edges = np.cumsum(share / share.sum())
    known = [f"w{number}" for number in range(size)]
    before: list[list[str]] = []

    def draw(length: int) -> list[str]:
        numbers = np.minimum(np.searchsorted(edges, chance.random(length)), size - 1)
        return [known[number] for number in numbers.tolist()]

    for number in range(count):
        if before and (kind == "copies" or number % 20 == 19):
            words = list(before[0 if kind == "copies" else int(chance.integers(len(before)))])
            for position in chance.integers(len(words), size=len(words) // 40).tolist():
                words[position] = draw(1)[0]
            words = words[: len(words) - int(chance.integers(len(words) // 20))]
        else:
            words = draw(int(chance.integers(100, 561)))
            if len(before) < 5_000:
                before.append(words)
        yield words


def _page(rows: list[list[str]]) -> str:
    head = ["documents", "number", "words", "dropped", "processor time", "times a pass", "peak"]
    kinds = "\n".join(f"- *{kind}*: {what}." for kind, what in _KINDS.items())
    return (
        "# De-duplication\n\n`python -m benchmarks deduplication`\n\n"
        "Generated documents of 330 words on average, one core, reading and writing jsonlines "
        "included, beside a trivial pass over the same file that reads every line and counts its "
        f"words. The goal is 100,000 documents in under {_GOAL:.0f} seconds.\n\n{kinds}\n\n"
        f"{markdown_table(head, rows)}\n"
    )
