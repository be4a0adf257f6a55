"""What is published is looked into, and every extra is tried or said to be left out."""

import sys
import zipfile
from pathlib import Path

import pytest

from recipes.packaging import build
from recipes.packaging.audit import extras
from recipes.packaging.build import TrialResult, page
from recipes.packaging.environments import EXTRAS, LEFT_OUT, Trial, find_pythons, run_trial

LICENCES = [f"x-1.dist-info/licenses/{n}" for n in range(build.LICENCES)]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A source tree of a few files."""
    for name in ("__init__.py", "py.typed", "data/a.toml", "__pycache__/b.pyc"):
        path = tmp_path / "src" / "corefbench" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return tmp_path


def packed(path: Path, names: list[str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return path


GOOD = ["corefbench/__init__.py", "corefbench/py.typed", "corefbench/data/a.toml", *LICENCES]


@pytest.mark.parametrize(
    ("names", "faults"),
    [
        (GOOD, ()),
        (GOOD[:2] + GOOD[3:], ("missing: corefbench/data/a.toml",)),
        ([*GOOD, "tests/test_a.py"], ("stray: tests/test_a.py",)),
        ([*GOOD, "corefbench/__pycache__/b.pyc"], ("stray: corefbench/__pycache__/b.pyc",)),
        (GOOD[:-1], (f"{build.LICENCES - 1} licences, not {build.LICENCES}",)),
    ],
)
def test_a_wheel_has_the_package_and_no_more(source: Path, names: list[str], faults: tuple[str, ...]) -> None:
    assert build.check_wheel(packed(source / "x.whl", names), source).faults == faults


def test_every_extra_is_tried_or_said_to_be_left_out() -> None:
    assert {*EXTRAS, *LEFT_OUT} == {*extras()}


def test_this_python_is_found() -> None:
    assert find_pythons()[f"{sys.version_info[0]}.{sys.version_info[1]}"] == sys.executable


@pytest.mark.parametrize(
    ("trial", "fault"),
    [
        (Trial(words=("python", "-c", "print('yes')"), says="yes"), ""),
        (Trial(words=("python", "-c", "print('no')"), says="yes"), "did not say 'yes'"),
        (Trial(words=("python", "-c", "raise SystemExit(4)"), code=4), ""),
        (Trial(words=("python", "-c", "raise SystemExit(1)"), code=4), "exit code 1"),
    ],
)
def test_a_trial_is_judged_by_exit_code_and_words(trial: Trial, fault: str, tmp_path: Path) -> None:
    problem = run_trial(Path(sys.executable), trial, tmp_path)
    assert fault in problem
    assert bool(problem) == bool(fault)


def test_the_page_says_what_was_left_out_and_why() -> None:
    archive = build.Archive(name="x.whl", bytes=1_500_000, files=3, faults=("stray: y",))
    seen = [TrialResult(python="3.13", extra="neural", left_out="no wheel")]
    made = page([archive] * 3, seen)
    assert "1.5 MB" in made
    assert "stray: y" in made
    assert "left out: no wheel" in made


@pytest.mark.slow
def test_wheel_and_sdist_are_whole_and_work_bare(tmp_path: Path) -> None:
    """The first step of `make package`, on this Python; the others take an hour."""
    pytest.importorskip("build")
    from benchmarks.data import ROOT

    build.build(ROOT, tmp_path)
    wheel, sdist = build.newest(tmp_path, "*.whl"), build.newest(tmp_path, "*.tar.gz")
    assert build.check_wheel(wheel, ROOT).faults == ()
    assert build.check_sdist(sdist, ROOT).faults == ()
    assert build.rebuild_from_sdist(sdist).faults == ()
    assert build.try_extra("3", sys.executable, "bare", wheel).faults == ()
