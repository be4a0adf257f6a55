"""A run as tables and JSON: what it is, what went in, what came out."""

from typing import Any

import msgspec

from corefbench.report import ReportFormat, render_tables
from corefbench.report.table import Table, score_table
from corefbench.runs import Run
from corefbench.runs.schema import Header, Input


def report_run(run: Run, format: ReportFormat = "table") -> str:
    """The summary; documents are not read."""
    if format == "json":
        return msgspec.json.format(msgspec.json.encode(as_object(run)), indent=2).decode()
    return render_tables(run_tables(run), format)


def as_object(run: Run) -> dict[str, Any]:
    """The header in plain values, as the file has it; programs may rely on the keys."""
    made: dict[str, Any] = msgspec.to_builtins(run.header)
    return made


def run_tables(run: Run) -> list[Table]:
    """The scores, then the run and its inputs."""
    tables = [score_table(run.results)] if run.results else []
    if run.kind == "bench":
        from corefbench.report.bench import comparison

        tables.insert(0, comparison(run.bench))
    tables.append(about(run.header))
    return [*tables, inputs(run.header)] if run.header.inputs else tables


def about(header: Header) -> Table:
    """What the run is."""
    rows = {
        "Kind": header.kind,
        "Created": header.created,
        "corefbench": header.version,
        "Schema": str(header.schema),
        "Command": " ".join(header.command),
        "Documents": str(len(header.documents)),
        "Findings": str(sum(result.findings for result in header.results)),
        "Seconds": f"{header.timing.wall:.2f}" if header.timing.wall else "",
        "Processor seconds": f"{header.timing.cpu:.2f}" if header.timing.cpu else "",
    }
    return Table(
        caption="The run",
        headers=("Field", "Value"),
        rows=tuple((name, value) for name, value in rows.items() if value),
    )


def inputs(header: Header) -> Table:
    """What went in."""
    return Table(
        caption="Inputs",
        headers=("Input", "Role", "Format", "Bytes", "Documents", "Content", "SHA-256"),
        rows=tuple(map(_input, header.inputs)),
    )


def _input(one: Input) -> tuple[str, ...]:
    size = f"{one.bytes:,}" if one.sha256 else ""
    content = one.content.rpartition("@")[2]
    return (*(one.name, one.role, one.format, size, str(len(one.order)), content, one.sha256[:16]),)
