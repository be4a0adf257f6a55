"""What forms and buttons ask for; one module each, whose ``handlers`` the app takes."""

from importlib import import_module
from typing import Any

from corefbench.web.workbench import Workbench

_MODULES = ("jobs", "exports", "trials", "merges")


def actions(workbench: Workbench) -> list[Any]:
    """All handlers."""
    return [
        handler
        for name in _MODULES
        for handler in import_module(f"{__name__}.{name}").handlers(workbench)
    ]
