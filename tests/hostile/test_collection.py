"""Hostile files (R5): a coded error or a clean reading, within 5 s and 512 MB, never a traceback,
and, when one is scored, nothing of the key."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from corefbench.formats import formats
from tests.hostile.collection import Case, put
from tests.hostile.families import FAMILIES, LARGE, small

WORKER = Path(__file__).parent / "worker.py"
MEGABYTES = 512
SECONDS = 5


def test_the_collection_is_large_enough_and_has_every_format() -> None:
    found = {n: [(c.name, c.format) for c in family()] for n, family in FAMILIES.items()}
    assert len(found) >= 12
    assert sum(map(len, found.values())) >= 300
    assert all(len({name for name, _ in some}) == len(some) for some in found.values())
    assert set(formats) <= {form for some in found.values() for _, form in some}


@pytest.mark.parametrize("family", FAMILIES)
def test_hostile_files_are_read_or_refused_with_a_code(family: str, tmp_path: Path) -> None:
    assert_answered(list(small(family)), tmp_path, "4")


@pytest.mark.slow
@pytest.mark.parametrize("family", LARGE)
def test_large_hostile_files_are_read_or_refused_with_a_code(family: str, tmp_path: Path) -> None:
    assert_answered(list(FAMILIES[family]()), tmp_path)


def assert_answered(cases: list[Case], tmp_path: Path, *arguments: str) -> None:
    paths = put(cases, tmp_path)
    asked = [[str(path), case.format] for path, case in zip(paths, cases, strict=True)]
    command = [sys.executable, str(WORKER), *arguments]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, encoding="utf-8", check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(cases), done.stderr[-2_000:]
    wrong = {}
    for case, answer in zip(cases, answers, strict=True):
        if "failure" in answer:
            wrong[case.name] = answer["failure"]
        elif answer["seconds"] > SECONDS or answer["megabytes"] > MEGABYTES:
            wrong[case.name] = f"{answer['seconds']:.1f} s, {answer['megabytes']} MB"
        elif "CB001" in (answer["strict"], answer["named"], answer["scored"], *answer["errors"]):
            wrong[case.name] = "an error without a code of its own"
        elif answer["told"]:
            wrong[case.name] = f"speaks of the key: {answer['told']}"
        elif case.refused and (answer["named"] == "read" or not answer["errors"]):
            wrong[case.name] = f"was read: {answer}"
    assert wrong == {}, "\n".join(f"{name}: {what}" for name, what in wrong.items())
