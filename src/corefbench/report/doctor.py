"""What is installed, as tables and as plain values."""

from typing import Any

import msgspec

from corefbench.doctor import Check, Examination
from corefbench.report import ReportFormat, render_tables
from corefbench.report.table import Table

_PARTS = {
    "required": "Required packages",
    "extras": "Extras",
    "models": "Models that come with corefbench",
    "data": "Data sets in COREFBENCH_DATA",
    "cache": "Cache",
    "plugins": "Plug-ins",
    "programs": "Other programs, all optional",
}


def report_examination(made: Examination, format: ReportFormat = "table") -> str:
    """The examination as text."""
    if format == "json":
        return msgspec.json.format(msgspec.json.encode(as_object(made)), indent=2).decode()
    tables = [_part(title, getattr(made, name)) for name, title in _PARTS.items()]
    return "\n\n".join((_heading(made), render_tables(filter(None, tables), format), _end(made)))


def _heading(made: Examination) -> str:
    editable = ", editable" if made.editable else ""
    return "\n".join(
        (
            f"corefbench {made.version} in {made.place}{editable}",
            f"Python {made.python}, {made.executable}",
            made.platform,
        )
    )


def _part(title: str, checks: tuple[Check, ...]) -> Table | None:
    if not checks:
        return None
    rows = [
        (one.state, one.name, one.purpose, one.found, one.remedy, _short(one.version))
        for one in checks
    ]
    headers = ("State", "Name", "For", "Found", "To get it", "Version")
    used = [n for n, _ in enumerate(headers) if n < 2 or any(row[n] for row in rows)]
    return Table(
        caption=title,
        headers=tuple(headers[n] for n in used),
        rows=tuple(tuple(row[n] for n in used) for row in rows),
    )


def _short(versions: str, most: int = 3) -> str:
    """The first of several versions.

    >>> _short("numpy 2.0"), _short("a 1, b 2, c 3, d 4, e 5")
    ('numpy 2.0', 'a 1, b 2, c 3 and 2 more')
    """
    all_of_them = versions.split(", ")
    more = f" and {len(all_of_them) - most} more" if len(all_of_them) > most else ""
    return ", ".join(all_of_them[:most]) + more


def _end(made: Examination) -> str:
    broken = [f"{one.name} ({one.found or one.state})" for one in made.broken]
    return f"broken: {', '.join(broken)}" if broken else "nothing that is installed is broken"


def as_object(made: Examination) -> dict[str, Any]:
    """The examination in plain values; programs may rely on the keys."""
    return {**msgspec.to_builtins(made), "broken": [one.name for one in made.broken]}
