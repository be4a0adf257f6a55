"""``corefbench check``: everything that is wrong with a file."""

from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli.options import EngineName, Jobs

if TYPE_CHECKING:
    from corefbench.findings import Finding

_UNREADABLE = frozenset({"CB006", "CB101", "CB118"})


def check(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="FILE…", help="Files, folders, patterns, or - for standard input."),
    ],
    input_format: Annotated[
        str | None, typer.Option(help="The format of all inputs; else recognised.")
    ] = None,
    limit: Annotated[
        int, typer.Option(min=1, help="How many findings of one rule are listed.")
    ] = 100,
    jobs: Jobs = 1,
    engine: EngineName = "",
    format: Annotated[str, typer.Option("--format", "-f", help="text or json.")] = "text",
) -> None:
    """Check files: every problem with its place, its severity, a code and what to do about it.

    Exit code 0: no errors. 1: errors. 3: a file cannot be read at all.

    Example: corefbench check system.conll
    """
    from corefbench.cli.choice import one_of
    from corefbench.cli.progress import reading_progress
    from corefbench.formats.check import check as check_source

    one_of(format, "text", "json")
    findings: list[Finding] = []
    with reading_progress(*inputs) as advance:
        for each in inputs:
            findings += check_source(
                each, input_format, limit=limit, advance=advance, engine=engine, jobs=jobs
            )
    typer.echo(_as_json(findings) if format == "json" else _as_text(findings, len(inputs)))
    if any(finding.code in _UNREADABLE for finding in findings if finding.severity == "error"):
        raise typer.Exit(3)
    if any(finding.severity == "error" for finding in findings):
        raise typer.Exit(1)


def _counts(findings: "list[Finding]") -> dict[str, int]:
    kinds = ("error", "warning", "note")
    return {f"{kind}s": sum(f.severity == kind for f in findings) for kind in kinds}


def _as_json(findings: "list[Finding]") -> str:
    import msgspec

    return msgspec.json.format(
        msgspec.json.encode({**_counts(findings), "findings": findings}), indent=2
    ).decode()


def _as_text(findings: "list[Finding]", inputs: int) -> str:
    counts = _counts(findings)
    last = ", ".join(f"{n} {kind if n != 1 else kind[:-1]}" for kind, n in counts.items() if n)
    checked = f"{inputs} inputs checked" if inputs > 1 else "checked"
    return "\n".join([*map(str, findings), f"{checked}: {last or 'nothing to say'}"])
