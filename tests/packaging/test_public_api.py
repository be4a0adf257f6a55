"""What users import: documented, listed, and typed as a checker of theirs sees it."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import corefbench as cb

ROOT = Path(__file__).parents[2]
NAMES = [name for name in cb.__all__ if name != "__version__"]
PROGRAM = ROOT / "examples" / "user_program.py"


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_says_what_it_is(name: str) -> None:
    thing = getattr(cb, name)
    said = inspect.getdoc(thing) or ""
    assert len(said.split()) >= 3
    assert said != inspect.getdoc(object)


def test_every_public_name_is_in_the_reference() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    listed = {line.rpartition("corefbench.")[2] for line in page.splitlines() if ":: corefb" in line}
    assert not {*NAMES} - listed


def test_public_functions_are_annotated() -> None:
    functions = [getattr(cb, name) for name in NAMES if inspect.isfunction(getattr(cb, name))]
    assert functions
    for function in functions:
        signature = inspect.signature(function)
        assert signature.return_annotation is not signature.empty, function
        for parameter in signature.parameters.values():
            assert parameter.annotation is not parameter.empty, (function, parameter)


def test_the_program_of_a_user_runs() -> None:
    done = subprocess.run([sys.executable, str(PROGRAM)], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.splitlines() == [
        "bicycle_0: 0.7024",
        "library_0: 0.6790",
        "cats_0: 0.8889",
        "['her old bicycle', 'it', 'The bicycle', 'it']",
        "1.0 1.0 1.0",
        "CB006 check the path and its permissions",
    ]


@pytest.mark.slow
def test_the_program_of_a_user_is_typed_strictly(tmp_path: Path) -> None:
    """Without our configuration: the package is found installed, and its types by py.typed."""
    (tmp_path / "program.py").write_text(PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
    wrong = '\n\nreveal: int = cb.score("a", "b").signature\n'
    (tmp_path / "wrong.py").write_text("import corefbench as cb" + wrong, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull]
    done = subprocess.run([*command, "program.py"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout
    refused = subprocess.run([*command, "wrong.py"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert "Incompatible types" in refused.stdout
