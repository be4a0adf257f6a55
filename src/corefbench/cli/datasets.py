"""``corefbench datasets``: public corpora, where to get them and how to read them."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from corefbench.datasets import Dataset


def datasets(
    name: Annotated[str | None, typer.Argument(help="Explain one corpus.")] = None,
    here: Annotated[
        bool, typer.Option("--here", help="Only those that COREFBENCH_DATA holds.")
    ] = False,
    format: Annotated[str, typer.Option("--format", "-f", help="table or json.")] = "table",
) -> None:
    """List public corpora, or explain one: what it is, where to get it, licence, how to read it."""
    import msgspec

    from corefbench.cli.choice import one_of
    from corefbench.datasets import CATALOGUE, dataset
    from corefbench.datasets.load import is_here

    one_of(format, "table", "json")
    chosen = [dataset(name)] if name else list(CATALOGUE.values())
    present = {entry.name: is_here(entry.name) for entry in chosen}
    if here:
        chosen = [entry for entry in chosen if present[entry.name]]
    if format == "json":
        rows = [{**msgspec.to_builtins(e), "here": present[e.name]} for e in chosen]
        content = rows[0] if name and rows else rows
        typer.echo(msgspec.json.format(msgspec.json.encode(content), indent=2).decode())
    elif name:
        typer.echo("\n".join(_explained(entry, present[entry.name]) for entry in chosen))
    else:
        width = max((len(entry.name) for entry in chosen), default=0)
        for entry in chosen:
            mark = "here" if present[entry.name] else "    "
            typer.echo(f"{entry.name.ljust(width)}  {mark}  {entry.title}: {entry.what}")
        typer.echo("\n`corefbench datasets NAME` explains one.")


def _explained(entry: "Dataset", here: bool) -> str:
    fields = {
        "from": entry.where,
        "licence": entry.licence,
        "cite": entry.reference,
        "languages": ", ".join(entry.languages),
        "size": entry.size,
        "format": entry.format,
        "in COREFBENCH_DATA": entry.files,
        "parts": ", ".join(f"{entry.name}/{part}" for part in entry.parts),
        "how": entry.how,
        "here": "yes" if here else "no",
    }
    lines = [f"{label:<19} {text}" for label, text in fields.items() if text]
    return "\n".join([f"{entry.name}: {entry.title}", "", entry.what, "", *lines])
