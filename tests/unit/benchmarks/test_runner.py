"""Every benchmark parses its options; those that need no data run at their smallest size."""

import argparse
import importlib

import pytest

from benchmarks import runner
from benchmarks.page import Page

REQUIRED = {
    "generate": ["S"],
    "checkouts": ["BEFORE"],
    "cross-document": ["EVENT", "ENTITY"],
    "reproducibility": ["CONFIG"],
}
SMALLEST = {
    "memory-based": ["--instances", "2000", "--asked", "20", "--peer", "0"],
    "cost": ["--largest", "1000", "--hard", "500", "--only", "text"],
    "clustering": ["--sizes", "300", "--jobs", "1"],
}


@pytest.mark.parametrize("name", runner.SUBJECTS)
def test_subject_parses_its_arguments(name):
    arguments = runner.build_parser(name).parse_args([*REQUIRED.get(name, []), "--no-page"])
    assert arguments.no_page


@pytest.mark.parametrize("name", SMALLEST)
def test_subject_runs_at_its_smallest_size(name, tmp_path, capsys, monkeypatch):
    options = SMALLEST[name]
    if name == "clustering":
        options = [*options, "--book", str(tmp_path / "book.json")]
    with pytest.raises(SystemExit) as stopped:
        runner.run_subject(name, [*options, "--page", str(tmp_path / "page.md")])
    assert stopped.value.code == 0
    assert capsys.readouterr().out.startswith("# ")


def test_unknown_subject_lists_the_known_ones(capsys):
    with pytest.raises(SystemExit) as stopped:
        runner.main(["tea"])
    assert stopped.value.code == 2
    assert "reading-view" in capsys.readouterr().err


@pytest.mark.parametrize(("is_complete", "passed"), [(True, False), (False, True)])
def test_only_complete_pages_are_written(is_complete, passed, tmp_path, monkeypatch):
    page = Page("none", "# None", is_complete=is_complete, passed=passed)
    subject = argparse.Namespace(__doc__="A subject.", run=lambda arguments: page)
    monkeypatch.setattr(runner, "import_module", lambda name: subject)
    with pytest.raises(SystemExit) as stopped:
        runner.run_subject("none", ["--page", str(tmp_path / "page.md")])
    assert stopped.value.code == (not passed)
    assert (tmp_path / "page.md").exists() == is_complete


def test_every_recipe_has_a_main_function():
    from recipes.__main__ import RECIPES, main

    assert main(["tea"]) == 2
    for module, _, _ in RECIPES.values():
        pytest.importorskip("spacy")
        assert callable(importlib.import_module(f"recipes.{module}").main)
