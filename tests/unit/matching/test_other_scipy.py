"""Where SciPy is laid out otherwise, it is imported in full instead."""

from pathlib import Path

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


class _Other:
    """A compiled module with a function of that name that does something else."""

    def __init__(self, columns: list[int]) -> None:
        self.columns = columns

    def linear_sum_assignment(self, matrix, *, maximize):
        return np.arange(2), np.array(self.columns if maximize else [2, 0])


@pytest.mark.parametrize(("columns", "taken"), [([1, 0], True), ([0, 1], False)])
def test_a_solver_is_taken_only_if_it_solves(monkeypatch, columns, taken):
    monkeypatch.setattr(module, "_compiled", lambda: [Path("_lsap.so")])
    monkeypatch.setattr(module, "_load", lambda _: _Other(columns))
    assert (solver.__wrapped__() is not linear_sum_assignment) == taken


def test_where_the_compiled_solver_lies_where_it_should_it_is_taken():
    if module._compiled():
        assert solver.__wrapped__() is not linear_sum_assignment
