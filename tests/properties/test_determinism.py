"""The same input and seed give the same bytes, whatever the hash seed and the workers (R14)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from corefbench.formats import formats

ROOT = Path(__file__).parents[2]


def digests(folder: Path, hash_seed: str, jobs: str, which: str) -> dict[str, object]:
    """What all commands said and wrote."""
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "tests.properties.commands", str(folder), jobs, which],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "COLUMNS": "100", "NO_COLOR": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    found: dict[str, object] = json.loads(done.stdout)
    return found


def check(folder: Path, settings: list[tuple[str, str]], which: str) -> dict[str, object]:
    """Compare all settings with the first; returns what that gave."""
    found = [digests(folder / f"{seed}-{jobs}", seed, jobs, which) for seed, jobs in settings]
    for setting, other in zip(settings[1:], found[1:], strict=True):
        names = found[0].keys() | other.keys()
        differ = {name for name in names if found[0].get(name) != other.get(name)}
        assert differ == set(), f"not the same with hash seed and workers {setting}"
    return found[0]


def check_commands(found: dict[str, object]) -> None:
    """The commands did what they were asked: only those fail that should."""
    failed = {name: said for name, said in found.items() if isinstance(said, list) and said[0]}
    expected = {"no such file", "no such measure"}
    strange = {
        name: said
        for name, said in failed.items()
        if name not in expected and not name.startswith(("check ", "convert "))
    }
    assert strange == {}
    assert failed.keys() >= expected
    assert sum(name.startswith("in-") for name in found) >= len(list(formats)) - 3


def test_the_bytes_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    check_commands(check(tmp_path, [("0", "1"), ("4242", "1")], "light"))


@pytest.mark.slow
def test_all_commands_give_the_same_bytes_whatever_the_hash_seed_and_workers(tmp_path: Path) -> None:
    settings = [("0", "1"), ("1", "1"), ("4242", "1"), ("0", "2"), ("99", "2")]
    check_commands(check(tmp_path, settings, "all"))
