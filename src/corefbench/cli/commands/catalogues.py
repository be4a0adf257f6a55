"""``corefbench profiles`` and ``corefbench datasets``."""

from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli import options

if TYPE_CHECKING:
    from corefbench.datasets import Dataset
    from corefbench.scoring.profiles import Profile


def profiles(
    name: Annotated[str | None, typer.Argument(help="Explain one profile.")] = None,
    format: options.JsonFormat = "table",
) -> None:
    """List the scoring profiles, or explain one."""
    from corefbench.report.renderers import render_json
    from corefbench.scoring.profiles import profiles as registry

    as_json = options.is_json(format)
    chosen = [registry[name]] if name else [registry[known] for known in registry]
    if as_json:
        typer.echo(render_json(chosen[0] if name else chosen))
    elif name:
        typer.echo(_explain_profile(chosen[0]))
    else:
        width = max(len(profile.name) for profile in chosen)
        for profile in chosen:
            typer.echo(f"{profile.name.ljust(width)}  {profile.title}")
        typer.echo("\n`corefbench profiles NAME` explains one.")


def _explain_profile(profile: "Profile") -> str:
    import msgspec

    choices = msgspec.to_builtins(profile.choices)
    lines = [f"{profile.name}: {profile.title}", "", profile.description, "", "Choices"]
    settings = {
        **choices,
        "scope": profile.scope,
        "average": profile.average,
        "rounding": profile.rounding,
        "repeat-limit": profile.repeat_limit,
    }
    lines += [f"  {key:<13} {value}" for key, value in settings.items()]
    for score, changed in profile.exceptions.items():
        lines += [f"  {score}: {key} {value}" for key, value in changed.items()]
    lines += ["Scores", *(f"  {key:<17} {value}" for key, value in profile.measures.items())]
    if profile.conll:
        lines.append(f"  {'conll':<17} mean F1 of {', '.join(profile.conll)}")
    lines += ["", *profile.remarks] if profile.remarks else []
    lines += ["", f"Cite: {', '.join(profile.cites)}"] if profile.cites else []
    return "\n".join(lines)


def datasets(
    name: Annotated[str | None, typer.Argument(help="Explain one corpus.")] = None,
    here: Annotated[bool, typer.Option("--here", help="Only corpora found in COREFBENCH_DATA.")] = False,
    format: options.JsonFormat = "table",
) -> None:
    """List public corpora, or explain one: source, licence and how to read it."""
    import msgspec

    from corefbench.datasets import CATALOGUE, dataset
    from corefbench.datasets.load import is_available
    from corefbench.report.renderers import render_json

    as_json = options.is_json(format)
    chosen = [dataset(name)] if name else list(CATALOGUE.values())
    available = {entry.name: is_available(entry.name) for entry in chosen}
    if here:
        chosen = [entry for entry in chosen if available[entry.name]]
    if as_json:
        rows = [{**msgspec.to_builtins(e), "here": available[e.name]} for e in chosen]
        content = rows[0] if name and rows else rows
        typer.echo(render_json(content))
    elif name:
        typer.echo("\n".join(_explain_dataset(entry, available[entry.name]) for entry in chosen))
    else:
        width = max((len(entry.name) for entry in chosen), default=0)
        for entry in chosen:
            mark = "here" if available[entry.name] else "    "
            typer.echo(f"{entry.name.ljust(width)}  {mark}  {entry.title}: {entry.what}")
        typer.echo("\n`corefbench datasets NAME` explains one.")


def _explain_dataset(entry: "Dataset", here: bool) -> str:
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
