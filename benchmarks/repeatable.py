"""Does the same seed give the same model? ``python -m benchmarks.repeatable CONFIG``.

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
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec.structs import replace

from corefbench.resolvers.learned.checkpoint import load_model
from corefbench.training import read_config, train


class Made(NamedTuple):
    """What is compared, and what it took."""

    weights: str
    """A hash of all arrays and their names."""
    config: object
    scores: dict[str, float]
    seconds: float


def main() -> None:
    """Train twice and say whether the two are the same."""
    given = _arguments()
    if given.folder is not None:
        _train(given.config, given.folder, given.share, given.epochs)
        return
    with TemporaryDirectory() as scratch:
        one, other = (_made(given, Path(scratch) / name, seed) for name, seed in _RUNS.items())
    same = one[:3] == other[:3]
    print(f"{given.config}, share {given.share}: {one.seconds:.0f} and {other.seconds:.0f} s")
    print(f"weights {one.weights} and {other.weights}, scores {one.scores} and {other.scores}")
    print("the same" if same else "not the same")
    sys.exit(not same)


_RUNS = {"one": "1", "other": "2"}
"""The folders, and the hash seeds."""


def _made(given: argparse.Namespace, folder: Path, hash_seed: str) -> Made:
    began = time.monotonic()
    command = [sys.executable, "-m", "benchmarks.repeatable", *sys.argv[1:], "--folder", folder]
    subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": hash_seed}, check=True)
    card, arrays = load_model(folder)
    digest = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        digest.update(name.encode() + array.tobytes())
    return Made(digest.hexdigest()[:16], card.config, card.scores, time.monotonic() - began)


def _train(path: Path, folder: Path, share: float, epochs: int | None) -> None:
    config = replace(read_config(path), share=share)
    if epochs is not None:
        config = replace(config, training={**config.training, "epochs": epochs})
    train(config, folder, lambda line: print(line, file=sys.stderr))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", type=Path)
    parser.add_argument("--share", type=float, default=1.0, help="of the training documents")
    parser.add_argument("--epochs", type=int, help="in place of the configuration's")
    parser.add_argument("--folder", type=Path, help="train once, there: what each process does")
    return parser.parse_args()


if __name__ == "__main__":
    main()
