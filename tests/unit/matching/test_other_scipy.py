"""Where SciPy is laid out otherwise, it is imported in full instead."""

from importlib.machinery import EXTENSION_SUFFIXES
from itertools import permutations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from corefbench.matching import solver as module
from corefbench.matching.solver import solver


def test_a_file_that_is_no_compiled_module_is_left_alone(monkeypatch, tmp_path: Path):
    odd = tmp_path / "_lsap.so"
    odd.write_bytes(b"not a library")
    monkeypatch.setattr(module, "_compiled", lambda: [odd])
    assert solver.__wrapped__() is linear_sum_assignment


def test_a_module_that_no_loader_describes_is_left_alone(monkeypatch):
    monkeypatch.setattr(module, "_compiled", lambda: [Path("_lsap.so")])
    monkeypatch.setattr(module, "spec_from_loader", lambda *_: None)
    assert solver.__wrapped__() is linear_sum_assignment
    with pytest.raises(ImportError):
        module._load(Path("_lsap.so"))


class _Loader:
    """A loader of a module that has its function only once it was run."""

    def __init__(self, name: str, path: str) -> None:
        self.name, self.path = name, path

    def create_module(self, spec):
        return None

    def exec_module(self, made):
        made.linear_sum_assignment = self.path


def test_a_compiled_module_is_run_after_it_was_made(monkeypatch):
    monkeypatch.setattr(module, "ExtensionFileLoader", _Loader)
    assert module._load(Path("_lsap.so")).linear_sum_assignment == "_lsap.so"


@pytest.mark.parametrize("there", [True, False])
def test_the_compiled_solver_is_looked_for_where_scipy_lies(monkeypatch, tmp_path: Path, there):
    path = tmp_path / "optimize" / f"_lsap{EXTENSION_SUFFIXES[0]}"
    path.parent.mkdir()
    if there:
        path.touch()
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(module, "find_spec", lambda _: spec)
    assert module._compiled() == ([path] if there else [])


@pytest.mark.parametrize("spec", [None, SimpleNamespace(submodule_search_locations=None)])
def test_without_a_folder_of_scipy_nothing_is_found(monkeypatch, spec):
    monkeypatch.setattr(module, "find_spec", lambda _: spec)
    assert module._compiled() == []


def test_where_the_first_compiled_module_fails_no_other_is_tried(monkeypatch):
    tried = []
    monkeypatch.setattr(module, "_compiled", lambda: [Path("_lsap.so"), Path("_lsap.abi3.so")])
    monkeypatch.setattr(module, "_load", tried.append)  # None has no such function
    assert solver.__wrapped__() is linear_sum_assignment
    assert tried == [Path("_lsap.so")]


class _Other:
    """A compiled module with a function of that name that does something else."""

    def __init__(self, columns: list[int]) -> None:
        self.columns = columns

    def linear_sum_assignment(self, matrix, *, maximize):
        return np.arange(2), np.array(self.columns if maximize else [2, 0])


def first_best(matrix, *, maximize):
    """The first of the best assignments, found by trying all."""
    assert maximize
    choices = permutations(range(matrix.shape[1]), matrix.shape[0])
    best = max(choices, key=lambda chosen: matrix[[0, 1], chosen].sum())
    return np.arange(2), np.array(best)


def test_whatever_solver_solves_is_taken_however_it_settles_ties():
    assert module._checked(first_best) is first_best


@pytest.mark.parametrize(("columns", "taken"), [([1, 0], True), ([0, 1], False)])
def test_a_solver_is_taken_only_if_it_solves(monkeypatch, columns, taken):
    monkeypatch.setattr(module, "_compiled", lambda: [Path("_lsap.so")])
    monkeypatch.setattr(module, "_load", lambda _: _Other(columns))
    assert (solver.__wrapped__() is not linear_sum_assignment) == taken


def test_where_the_compiled_solver_lies_where_it_should_it_is_taken():
    if module._compiled():
        assert solver.__wrapped__() is not linear_sum_assignment
