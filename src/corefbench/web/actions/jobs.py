"""Start a run, and stop it."""

from typing import Any

from corefbench.web.workbench import Workbench


def handlers(workbench: Workbench) -> list[Any]:
    """The handlers."""
    return []
