"""The example package is found by its entry points, keeps the rules, and passes its own tests."""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from corefbench.registry import Registry
from corefbench.resolvers import resolvers
from tests.trees import discourse

EXAMPLE = Path(__file__).parents[3] / "examples" / "plugin"
GROUP = "corefbench.resolvers"

TEXT = """
Ann Ann PROPN NNP 2 nsubj
slept sleep VERB VBD 0 root

She she PRON PRP 2 nsubj
dreamt dream VERB VBD 0 root
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The example as an installation leaves it: its package, and the metadata with entry points."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    shutil.copytree(EXAMPLE / "src", tmp_path, dirs_exist_ok=True)
    metadata = tmp_path / "corefbench_example-1.0.dist-info"
    metadata.mkdir()
    rows = []
    for group, points in project["entry-points"].items():
        rows += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (metadata / "entry_points.txt").write_text("\n".join(rows) + "\n")
    about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (metadata / "METADATA").write_text(about)
    return tmp_path


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(site))
    yield
    for name in [name for name in sys.modules if name.startswith("corefbench_example")]:
        del sys.modules[name]


@pytest.mark.usefixtures("installed")
def test_the_example_is_found_and_resolves() -> None:
    known = Registry("resolver", built_in={}, entry_points=GROUP)
    resolver = known.make("previous-sentence")
    resolution = resolver.resolve(discourse(TEXT))
    phrases = resolution.discourse.phrases
    (decision,) = resolution.decisions
    assert resolution.discourse.text_of(phrases[decision.anaphor]) == "She"
    assert decision.antecedent is not None
    assert resolution.discourse.text_of(phrases[decision.antecedent]) == "Ann"


def run(site: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": str(site), "NO_COLOR": "1"}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)


def test_the_example_passes_its_own_tests(site: Path, tmp_path: Path) -> None:
    tests = shutil.copytree(EXAMPLE / "tests", tmp_path / "tests")
    done = run(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tests), str(tests))
    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout


def test_the_doctor_lists_the_example(site: Path) -> None:
    done = run(site, "-m", "corefbench", "doctor")
    for name in ("span-lines", "links", "previous-sentence", "line-sentences"):
        assert name in done.stdout
    assert "corefbench-example 1.0" in done.stdout


def test_resolvers_of_third_parties_are_looked_for() -> None:
    assert resolvers.kind == "resolver"
    with pytest.raises(Exception, match="did you mean mitkov"):
        resolvers.make("mitkow")
