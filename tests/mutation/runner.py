"""Trying mutants inside one run of pytest: each in a forked child, against the tests it concerns.

A first child runs all tests and notes which functions each of them calls. Then every mutant gets a
child: the code of the mutated function takes the place of the old one and the tests that call that
function are run, quickest first, until one fails. Where a fault is in the body of a module, or in
a function that only importing calls, the child imports everything anew, with the fault in it.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.mutation.mutants import Mutant, apply_mutant
from tests.mutation.processes import ProcessPool
from tests.mutation.substitution import KILLED, Functions, functions_of, reimport, replace_function, run_test

SLOW = 2.5
"""Seconds of processor time; slower tests are not asked: they would be for every survivor."""
PATIENCE = 600
"""Seconds for the run that shows that all is well."""
Calls = dict[str, set[str]]
"""Test → the functions it calls, as ``file:qualified name``."""


class MutationRun:
    """A plug-in of pytest that runs the tests of a set of mutants instead of the tests."""

    def __init__(
        self, sources: dict[str, Path], mutants: list[Mutant], jobs: int, minutes: float, tell: Callable[[str], None]
    ) -> None:
        self._sources, self._mutants, self._tell = sources, mutants, tell
        self._texts = {module: path.read_text("utf-8") for module, path in sources.items()}
        self._closes = time.monotonic() + 60 * minutes
        self._children = ProcessPool(jobs)
        self.outcomes: dict[Mutant, str] = {}
        self.problem = ""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        session.config._tmp_path_factory.getbasetemp()  # one folder for all children
        items = {item.nodeid: item for item in session.items}
        calls, seconds, self.problem = self._baseline(session)
        if not self.problem:
            self.problem = self._control(seconds)
        if not self.problem:
            functions = functions_of({*map(str, self._sources.values())})
            for mutant in self._mutants:
                if time.monotonic() < self._closes:
                    self._start(mutant, items, calls, seconds, functions)
            self._children.wait_for_all()
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os._exit(KILLED)

    def _baseline(self, session: pytest.Session) -> tuple[Calls, dict[str, float], str]:
        """What every test calls and how long it takes, from a child that runs them all."""
        receive, send = os.pipe()
        if not os.fork():
            with os.fdopen(send, "w") as pipe:
                json.dump(_observe(session.items, {*map(str, self._sources.values())}), pipe)
            os._exit(0)
        os.close(send)
        with os.fdopen(receive) as pipe:
            told = pipe.read()
        os.wait()
        if not told:
            return {}, {}, "a test fails without any mutant"
        called, seconds = json.loads(told)
        return {test: set(functions) for test, functions in called.items()}, seconds, ""

    def _control(self, seconds: dict[str, float]) -> str:
        """A module without any fault must survive being imported anew."""
        path = next(iter(self._sources.values()))
        code = compile(path.read_text("utf-8"), str(path), "exec")
        ends: list[str] = []
        self._children.start(reimport(path, code, _quick(seconds)), PATIENCE, ends.append)
        self._children.wait_for_all()
        return "" if ends == ["survived"] else f"a module without a fault is {ends[0]}"

    def _start(
        self,
        mutant: Mutant,
        items: dict[str, pytest.Item],
        calls: Calls,
        seconds: dict[str, float],
        functions: Functions,
    ) -> None:
        path = self._sources[mutant.module]
        called = f"{path}:{mutant.function}"
        tests = [test for test in _quick(seconds) if called in calls[test]]
        code = compile(apply_mutant(self._texts[mutant.module], mutant), str(path), "exec")
        run = replace_function(
            functions.get((str(path), mutant.function), []), mutant.function, code, [items[test] for test in tests]
        )
        if run is None or not tests:
            tests = _quick(seconds)
            run = reimport(path, code, tests)
        patience = 5 + 5 * sum(seconds[test] for test in tests)
        self._children.start(run, patience, lambda end: self._note(mutant, end))

    def _note(self, mutant: Mutant, end: str) -> None:
        self.outcomes[mutant] = end
        where = f"{mutant.module}:{mutant.line} {mutant.function}"
        self._tell(f"{len(self.outcomes)}/{len(self._mutants)} {end}: {where}: {mutant.change}")


def _quick(seconds: dict[str, float]) -> list[str]:
    """The tests that are asked, quickest first."""
    return sorted((test for test in seconds if seconds[test] < SLOW), key=lambda test: seconds[test])


def _observe(items: list[pytest.Item], files: set[str]) -> tuple[dict[str, list[str]], Any]:
    called: dict[str, list[str]] = {}
    seconds = {}
    for item in items:
        seen: set[tuple[str, str]] = set()

        def note(frame: FrameType, event: str, _: object, seen: Any = seen) -> None:
            if event == "call" and frame.f_code.co_filename in files:
                seen.add((frame.f_code.co_filename, frame.f_code.co_qualname))

        begun = time.process_time()
        sys.setprofile(note)
        run_test(item, None)
        sys.setprofile(None)
        seconds[item.nodeid] = time.process_time() - begun
        called[item.nodeid] = [f"{file}:{name.split('.<locals>')[0]}" for file, name in seen]
    return called, seconds
