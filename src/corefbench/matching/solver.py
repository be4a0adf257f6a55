"""SciPy's assignment solver, without the half second that importing ``scipy.optimize`` takes."""

from collections.abc import Callable
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np

from corefbench.record import Longs

Solver: TypeAlias = Callable[..., tuple[Longs, Longs]]
"""Takes a dense matrix and ``maximize``; returns the rows and the columns that are paired."""


@cache
def solver() -> Solver:
    """``linear_sum_assignment``, from SciPy's compiled module where it can be loaded alone.

    >>> rows, columns = solver()(np.array([[1.0, 3.0], [2.0, 3.0]]), maximize=True)
    >>> columns.tolist()
    [1, 0]
    """
    for path in _compiled():
        try:
            return _checked(cast(Solver, _load(path).linear_sum_assignment))
        except (ImportError, AttributeError, TypeError, ValueError):
            break  # another layout of SciPy: import it in full
    from scipy.optimize import linear_sum_assignment

    return cast(Solver, linear_sum_assignment)


def _compiled() -> list[Path]:
    """Where the compiled solver of the installed SciPy lies; nothing is imported."""
    spec = find_spec("scipy")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    paths = [Path(f, "optimize", "_lsap" + s) for f in folders for s in EXTENSION_SUFFIXES]
    return [path for path in paths if path.is_file()]


def _load(path: Path) -> Any:
    # A private name, so that a later import of scipy.optimize makes its own module.
    loader = ExtensionFileLoader("corefbench.matching.solver._lsap", str(path))
    spec = spec_from_loader(loader.name, loader)
    if spec is None:
        raise ImportError(loader.name)
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def _checked(solve: Solver) -> Solver:
    """The solver, after it has shown on a small matrix that it is called as we call it."""
    _, columns = solve(np.array([[1.0, 3.0, 0.0], [2.0, 3.0, 0.0]]), maximize=True)
    if columns.tolist() != [1, 0]:
        raise ValueError("not the expected solver")
    return solve
