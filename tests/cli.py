"""Run commands in tests: errors of corefbench are raised, not printed."""

import sys
from typing import Any

import pytest
from typer.testing import CliRunner

from corefbench.cli import main


def invoke(*arguments: object, given: str | None = None) -> Any:
    """Run a command; its result has ``stdout``, ``stderr`` and ``exit_code``."""
    result = CliRunner().invoke(main.app, list(map(str, arguments)), input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def run(*arguments: object, given: str | None = None) -> str:
    """Run a command and return what it prints."""
    printed: str = invoke(*arguments, given=given).stdout
    return printed


def exit_code(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    """Return the exit code of the whole program, which prints errors instead of raising them."""
    monkeypatch.setattr(sys, "argv", ["corefbench", *map(str, arguments)])
    return main._run()
