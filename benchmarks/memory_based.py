"""How fast is memory-based learning? ``python -m benchmarks memory-based``.

500,000 generated instances shaped like UBIU's pairs (two words of many values, twelve features of
few), k = 3; classes and counts are compared with those of TiMBL in the same run where
``python3-timbl`` (GPL-3) is installed. Processor time. Writes docs/results/memory-based.md.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.page import Page, markdown_table

_GOAL = 800


def run(arguments: argparse.Namespace) -> Page:
    """Measure."""
    codes, labels = instances(arguments.instances, 0)
    asked, _ = instances(arguments.asked, 1)
    ours = _ours(codes, labels, asked)
    peer = _timbl(codes, labels, asked[: arguments.peer])
    text = _page(arguments.instances, len(asked), ours, peer)
    return Page("memory-based", text)


def instances(number: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Words follow Zipf's law; the features depend on the words and on each other as in text."""
    random = np.random.default_rng(seed)
    words = np.minimum(random.zipf(1.35, (number, 2)), 20_000)
    one, two = words[:, 0] % 7 == 1, words[:, 1] % 7 == 1
    same = words[:, 0] == words[:, 1]
    number_one, number_two = words[:, 0] % 3, words[:, 1] % 3
    agree = np.where((number_one == 2) | (number_two == 2), 2, number_one == number_two)
    proper_one, proper_two = words[:, 0] % 5 == 2, words[:, 1] % 5 == 2
    columns = (
        one, number_two, two, same, same | (random.random(number) < 0.02),
        one & two & same, ~one & ~two & same, np.where(one & two, same, 2), agree,
        _both(one, two), _both(proper_one, proper_two), random.integers(0, 4, number),
    )  # fmt: skip
    few = np.stack([np.asarray(column, np.int64) for column in columns], axis=1)
    chance = 0.01 + 0.5 * same + 0.2 * (one & two) * (agree == 1) - 0.02 * few[:, -1]
    return np.concatenate([words, few], axis=1), (random.random(number) < chance).astype(np.int64)


def _both(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    return np.where(one & two, 1, np.where(one | two, 2, 0))


def _ours(codes: np.ndarray, labels: np.ndarray, asked: np.ndarray) -> dict:
    from corefbench.resolvers.mention_pair.memory import Memory

    began = time.process_time()
    memory = Memory(codes, labels, k=3)
    learned = time.process_time()
    votes = memory.classify(asked)
    done = time.process_time()
    return {
        "learn": learned - began,
        "rate": len(asked) / (done - learned),
        "groups": len(memory.groups),
        "votes": votes,
    }


def _timbl(codes: np.ndarray, labels: np.ndarray, asked: np.ndarray) -> dict | None:
    try:
        import timbl
    except ImportError:
        return None
    home = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # TiMBL writes its files where it stands
        try:
            return _measured(timbl, codes, labels, asked)
        finally:
            os.chdir(home)


def _measured(timbl, codes, labels, asked) -> dict:  # type: ignore[no-untyped-def]
    peer = timbl.TimblClassifier("peer", "-a IB1 -k 3 -m O -w gr -vS", format="Tabbed", normalize=False)
    for row, label in zip(codes.tolist(), labels.tolist(), strict=True):
        peer.append(tuple(map(str, row)), str(label))
    began = time.process_time()
    peer.train()
    learned = time.process_time()
    answers = [peer.classify(tuple(map(str, row)))[:2] for row in asked.tolist()]
    done = time.process_time()
    return {
        "learn": learned - began,
        "rate": len(asked) / (done - learned),
        "answers": [(int(label), {int(c): round(n) for c, n in counts.items()}) for label, counts in answers],
    }


def _agreement(ours: dict, peer: dict) -> int:
    votes = ours["votes"]
    same = 0
    for row, (label, counts) in enumerate(peer["answers"]):
        neighbours = {c: n for c, n in enumerate(votes.counts[row].tolist()) if n}
        same += label == int(votes.label[row]) and counts == neighbours
    return same


def _page(number: int, asked: int, ours: dict, peer: dict | None) -> str:
    rows = [["corefbench", f"{ours['learn']:.1f} s", f"{ours['rate']:,.0f}", f"{_GOAL}"]]
    note = ""
    if peer is not None:
        rows.append(["TiMBL", f"{peer['learn']:.1f} s", f"{peer['rate']:,.0f}", ""])
        same, of = _agreement(ours, peer), len(peer["answers"])
        note = f"\nClass and class counts agree with TiMBL's for {same:,} of {of:,} instances.\n"
    return (
        "# Memory-based learning\n\n`python -m benchmarks memory-based`\n\n"
        f"IB1, weighted overlap, gain ratio, k = 3; {number:,} training instances with 14 features "
        f"in {ours['groups']:,} groups, {asked:,} instances to classify, those of TiMBL the first "
        "of the same. Processor time of one core.\n\n"
        f"{markdown_table(['', 'learning', 'classified per second', 'goal'], rows)}\n{note}"
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--instances", type=int, default=500_000)
    parser.add_argument("--asked", type=int, default=5000)
    parser.add_argument("--peer", type=int, default=5000, help="of these, given to TiMBL")
