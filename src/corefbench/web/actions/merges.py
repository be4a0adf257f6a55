"""Merge annotations of several people."""

from typing import Any

from corefbench.web.workbench import Workbench


def handlers(workbench: Workbench) -> list[Any]:
    """The handlers."""
    return []
