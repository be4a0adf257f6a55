"""Take results away: LaTeX, CSV, JSON, Markdown, the run file, a bundle."""

from typing import Any

from corefbench.web.workbench import Workbench


def handlers(workbench: Workbench) -> list[Any]:
    """The handlers."""
    return []
