"""Putting a mutant in the place of a module, in a process that ends with it."""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType
from typing import TypeAlias

import pytest

KILLED = 1
QUIET = ("--assert=plain", "-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:xdist")
Functions: TypeAlias = dict[tuple[str, str], list[FunctionType]]
"""By file and qualified name."""


def functions_of(files: set[str]) -> Functions:
    """The functions of these files, wherever decorators have put them."""
    found: Functions = {}
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename in files:
            found.setdefault((one.__code__.co_filename, one.__code__.co_qualname), []).append(one)
    return found


def replace_function(
    old: list[FunctionType], name: str, code: CodeType, items: list[pytest.Item]
) -> Callable[[], None] | None:
    """What runs the tests with the code of one function exchanged; None where none is found."""
    mutated = [one for one in _codes(code) if one.co_qualname == name]
    if not name or len(mutated) != 1 or not old:
        return None

    def run() -> None:
        for function in old:
            function.__code__ = mutated[0]
        for item, following in zip(items, [*items[1:], None], strict=True):
            run_test(item, following)

    return run


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def reimport(path: Path, code: CodeType, tests: list[str]) -> Callable[[], None]:
    """What runs the tests after importing everything again, one module with its fault."""

    def run() -> None:
        for name, module in [*sys.modules.items()]:
            beside = Path(getattr(module, "__file__", None) or "/").parent == path.parent
            if beside or name.split(".")[0] in ("corefbench", "tests"):
                del sys.modules[name]
        usual = SourceFileLoader.get_code

        def get_code(loader: SourceFileLoader, fullname: str) -> CodeType | None:
            return code if loader.path == str(path) else usual(loader, fullname)

        SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
        # Plain assertions: to rewrite them pytest would read the module by itself.
        if pytest.main(["-x", *QUIET, *tests]):
            os._exit(KILLED)

    return run


def run_test(item: pytest.Item, following: pytest.Item | None) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
