"""The example package is found by its entry point and compared like any other resolver."""

import shutil
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
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The example as an installation leaves it: its module, and the metadata with entry points."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    shutil.copy(EXAMPLE / "src" / "previous_sentence.py", tmp_path)
    metadata = tmp_path / "corefbench_previous_sentence-1.0.dist-info"
    metadata.mkdir()
    points = "\n".join(f"{k} = {v}" for k, v in project["entry-points"][GROUP].items())
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\n{points}\n")
    (metadata / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("previous_sentence", None)


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


def test_resolvers_of_third_parties_are_looked_for() -> None:
    assert resolvers.kind == "resolver"
    with pytest.raises(Exception, match="did you mean mitkov"):
        resolvers.make("mitkow")
