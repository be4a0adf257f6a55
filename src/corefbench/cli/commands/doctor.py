"""``corefbench doctor``: check the installation."""

from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli import options

if TYPE_CHECKING:
    from corefbench.doctor import Check, Examination
    from corefbench.report.table import Table

_SECTIONS = {
    "required": "Required packages",
    "extras": "Extras",
    "models": "Models that come with corefbench",
    "data": "Data sets in COREFBENCH_DATA",
    "cache": "Cache",
    "plugins": "Plug-ins",
    "programs": "Other programs, all optional",
    "sandbox": "Sandbox of the processes that score for a campaign",
}
_MAX_VERSIONS = 3


def doctor(
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Import every package and run every model; takes longer.")
    ] = False,
    format: options.JsonFormat = "table",
) -> None:
    """Check the installation: version, extras, models, data sets, cache, plug-ins, programs, sandbox.

    Exits with 1 if something that is installed is broken; missing extras are fine.

    Example: corefbench doctor --thorough
    """
    import msgspec

    from corefbench.doctor import examine
    from corefbench.report.renderers import render_json

    as_json = options.is_json(format)
    examination = examine(thorough=thorough, sandbox=_check_sandbox())
    broken = [check.name for check in examination.broken]
    if as_json:
        typer.echo(render_json({**msgspec.to_builtins(examination), "broken": broken}))
    else:
        typer.echo(_examination_to_text(examination))
    if broken:
        raise typer.Exit(1)


def _check_sandbox() -> "list[Check]":
    """Check the protections that scoring processes have on this machine."""
    from corefbench.campaign.jobs.sandbox import inspect_sandbox
    from corefbench.doctor import Check

    return [
        Check(
            name=protection.name,
            state="present" if protection.active else "missing",
            purpose=protection.title,
            remedy=protection.remedy,
        )
        for protection in inspect_sandbox()
    ]


def _examination_to_text(examination: "Examination") -> str:
    from corefbench.report.renderers import render_tables

    editable = ", editable" if examination.editable else ""
    heading = [
        f"corefbench {examination.version} in {examination.place}{editable}",
        f"Python {examination.python}, {examination.executable}",
        examination.platform,
    ]
    sections = [(title, getattr(examination, name)) for name, title in _SECTIONS.items()]
    tables = [_check_table(title, checks) for title, checks in sections if checks]
    broken = [f"{check.name} ({check.found or check.state})" for check in examination.broken]
    verdict = f"broken: {', '.join(broken)}" if broken else "nothing that is installed is broken"
    return "\n\n".join(("\n".join(heading), render_tables(tables, "table"), verdict))


def _check_table(title: str, checks: "tuple[Check, ...]") -> "Table":
    from corefbench.report.table import Table

    rows = [
        (check.state, check.name, check.purpose, check.found, check.remedy, _shorten_versions(check.version))
        for check in checks
    ]
    headers = ("State", "Name", "For", "Found", "To get it", "Version")
    used = [n for n, _ in enumerate(headers) if n < 2 or any(row[n] for row in rows)]
    return Table(
        caption=title, headers=tuple(headers[n] for n in used), rows=tuple(tuple(row[n] for n in used) for row in rows)
    )


def _shorten_versions(versions: str) -> str:
    """Keep the first of several versions.

    >>> _shorten_versions("numpy 2.0"), _shorten_versions("a 1, b 2, c 3, d 4, e 5")
    ('numpy 2.0', 'a 1, b 2, c 3 and 2 more')
    """
    first, more = versions.split(", ")[:_MAX_VERSIONS], versions.split(", ")[_MAX_VERSIONS:]
    return ", ".join(first) + (f" and {len(more)} more" if more else "")
