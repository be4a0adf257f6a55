"""Checks of option values before any work is done."""

from typing import TYPE_CHECKING, cast

from corefbench.errors import UsageError

if TYPE_CHECKING:
    from corefbench.report.renderers import ReportFormat


def require_one_of(value: str, *allowed: str, name: str = "output format") -> None:
    """Raise if an option has none of the allowed values."""
    if value not in allowed:
        raise UsageError(f"there is no {name} {value!r}", expected=" or ".join(allowed))


def parse_report_format(name: str) -> "ReportFormat":
    """Return the report format of that name."""
    require_one_of(name, "table", "json", "markdown", "latex", "csv", "html")
    return cast("ReportFormat", name)


def is_broken_down(by: str | None, allowed: str = "document") -> bool:
    """Whether ``--by`` is given; raise if it is anything but the allowed value."""
    if by not in (None, allowed):
        raise UsageError(f"cannot report by {by!r}", expected=f"--by {allowed}")
    return by is not None


def require_one_standard_input(*inputs: str | None) -> None:
    """Raise if more than one input is ``-``: standard input can be read only once."""
    if inputs.count("-") > 1:
        raise UsageError("standard input can be read only once", found="- given twice")
