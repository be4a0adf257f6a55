import subprocess
import sys

import numpy as np
from scipy.optimize import linear_sum_assignment

from corefbench.matching import solver as module
from corefbench.matching.solver import solver


def test_it_is_the_solver_of_scipy_to_the_last_tie():
    chance = np.random.default_rng(0)
    for _ in range(50):
        matrix = chance.integers(0, 3, chance.integers(1, 7, 2)).astype(float)
        expected = linear_sum_assignment(matrix, maximize=True)
        assert [a.tolist() for a in solver()(matrix, maximize=True)] == [
            a.tolist() for a in expected
        ]


def test_scipy_is_imported_where_its_compiled_solver_is_not_found(monkeypatch):
    monkeypatch.setattr(module, "_compiled", lambda: [])
    assert solver.__wrapped__() is linear_sum_assignment


def test_scipy_is_not_imported_where_its_compiled_solver_is_found():
    code = (
        "import sys; from corefbench.matching.solver import _compiled, solver; solver();"
        "sys.exit(bool(_compiled()) and 'scipy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
