"""What holds for all adapters: they are listed, cost nothing until used, and run in commands."""

import ast
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corefbench.cli.main import _run, app
from corefbench.resolvers import make, resolvers
from corefbench.resolvers.adapters import worker
from corefbench.resolvers.adapters.third_party import Adapter
from corefbench.resolvers.base import BatchResolver
from tests.unit.resolvers.adapters.environments import environment, install, packages

NAMES = ("fastcoref", "maverick", "stanza-coref", "spacy-coref", "coreferee")

CONLL = """#begin document (one); part 000
one 0 0 Ann NNP * - - - - * (1)
one 0 1 slept VBD * - - - - * -

one 0 0 She PRP * - - - - * (1)
one 0 1 ran VBD * - - - - * -

#end document
"""

FASTCOREF = """
from types import SimpleNamespace as Made

class FCoref:
    def __init__(self, model_name_or_path, **options): pass
    def predict(self, texts, is_split_into_words):
        spans = [(0, 1), (2, 3), None]
        return [Made(text_idx=n, get_clusters=lambda as_strings: [spans],
                     get_logit=lambda one, two: 0.0) for n in range(len(texts))]
"""


@pytest.fixture
def python(tmp_path: Path) -> str:
    made = environment(tmp_path / "env")
    install(packages(made), "fastcoref", FASTCOREF, version="2.1.6")
    return str(made)


@pytest.fixture
def key(tmp_path: Path) -> str:
    path = tmp_path / "key.conll"
    path.write_text(CONLL)
    return str(path)


@pytest.mark.parametrize("name", NAMES)
def test_an_adapter_is_made_without_its_package(name: str) -> None:
    made = make(name)
    assert isinstance(made, Adapter)
    assert isinstance(made, BatchResolver)
    assert not isinstance(make("sieve"), BatchResolver)
    assert made.card.name == name
    assert made.card.needs.startswith("pip install")
    for parameter in made.card.parameters:
        assert getattr(made, parameter.name) == parameter.default
    assert {"model", "python", "device"} <= {p.name for p in made.card.parameters}


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_package_exits_with_code_4_and_an_install_hint(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = environment(tmp_path / "bare")
    text = ["resolve", "--text", "Ann slept. She ran.", "-r", f"{name}(python={bare})"]
    monkeypatch.setattr(sys, "argv", ["corefbench", *text])
    pytest.importorskip("onnxruntime")
    assert _run() == 4
    said = capsys.readouterr().err
    assert f"{bare}/bin/python -m pip install" in said
    assert "Traceback" not in said


def test_the_list_says_what_to_install() -> None:
    shown = CliRunner().invoke(app, ["resolve", "--list"]).stdout
    for name in NAMES:
        assert f"    needs: {resolvers[name].card.needs}\n" in shown  # type: ignore[attr-defined]


def test_a_bench_runs_an_adapter_and_reports_losses(python: str, key: str) -> None:
    names = f"most-recent,fastcoref(python={python})"
    from corefbench.bench.plan import Plan
    from corefbench.bench.run import run_bench

    pytest.importorskip("onnxruntime")
    result = run_bench(key, Plan(resolvers=tuple(names.split(",")), mode="annotated", cache=False))
    performance = result["fastcoref(version=2.1.6)"]
    assert performance.conll == 1
    assert performance.rates.success_rate.value == 1
    assert [finding.found for finding in performance.findings] == ["1 spans on special tokens"]


def test_the_written_file_is_clean_and_the_loss_is_reported(python: str, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    shown = CliRunner().invoke(
        app, ["resolve", "--text", "Ann slept. She", "-r", f"fastcoref(python={python})", "--to", "conll"]
    )
    assert shown.stdout.startswith("#begin document")
    assert "CB264" not in shown.stdout
    assert "CB264 the program could not align all its mentions" in shown.stderr


def test_the_worker_runs_on_old_python_and_imports_nothing_of_corefbench() -> None:
    tree = ast.parse(Path(worker.__file__).read_text(encoding="utf-8"), feature_version=(3, 8))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert (node.module or "").partition(".")[0] in sys.stdlib_module_names
        if isinstance(node, ast.Import):
            assert {name.name.partition(".")[0] for name in node.names} <= sys.stdlib_module_names
