"""Does the same seed give the same model?

Trains what a configuration says twice, each in a process of its own with another hash seed, and
compares weights bit for bit, thresholds and scores. ``--share`` and ``--epochs`` make it shorter.
Leaves with 1 if the two differ.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec.structs import replace

from benchmarks.page import Page
from corefbench.resolvers.checkpoint import load_model
from corefbench.resolvers.training import read_config, train


class TrainedModel(NamedTuple):
    """What is compared, and what it took."""

    weights: str
    """A hash of all arrays and their names."""
    config: object
    scores: dict[str, float]
    seconds: float


def run(arguments: argparse.Namespace) -> Page | None:
    """Train twice and compare."""
    if arguments.folder is not None:
        _train(arguments.config, arguments.folder, arguments.share, arguments.epochs)
        return None
    with TemporaryDirectory() as scratch:
        first, second = (_train_in_child(arguments.words, Path(scratch) / seed, seed) for seed in ("1", "2"))
    is_same = first[:3] == second[:3]
    text = (
        f"{arguments.config}, share {arguments.share}: "
        f"{first.seconds:.0f} and {second.seconds:.0f} s\n"
        f"weights {first.weights} and {second.weights}, "
        f"scores {first.scores} and {second.scores}\n"
        f"{'the same' if is_same else 'not the same'}"
    )
    return Page("", text, passed=is_same)


def _train_in_child(words: Sequence[str], folder: Path, hash_seed: str) -> TrainedModel:
    began = time.monotonic()
    command = [sys.executable, "-m", "benchmarks", "reproducibility", *words, "--folder", folder]
    subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": hash_seed}, check=True)
    card, arrays = load_model(folder)
    digest = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        digest.update(name.encode() + array.tobytes())
    return TrainedModel(digest.hexdigest()[:16], card.config, card.scores, time.monotonic() - began)


def _train(path: Path, folder: Path, share: float, epochs: int | None) -> None:
    config = replace(read_config(path), share=share)
    if epochs is not None:
        config = replace(config, training={**config.training, "epochs": epochs})
    train(config, folder, lambda line: print(line, file=sys.stderr))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("config", type=Path)
    parser.add_argument("--share", type=float, default=1.0, help="of the training documents")
    parser.add_argument("--epochs", type=int, help="in place of the configuration's")
    parser.add_argument("--folder", type=Path, help="train once, there: what each process does")
