"""``corefbench profiles``: the published scorers, listed and explained."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from corefbench.profiles import Profile


def profiles(
    name: Annotated[str | None, typer.Argument(help="Explain one profile.")] = None,
    format: Annotated[str, typer.Option("--format", "-f", help="table or json.")] = "table",
) -> None:
    """List the profiles, or explain one: every choice that makes up a published scorer."""
    import msgspec

    from corefbench.profiles import profiles as registry

    chosen = [registry[name]] if name else [registry[each] for each in registry]
    if format == "json":
        text = msgspec.json.format(msgspec.json.encode(chosen[0] if name else chosen), indent=2)
        typer.echo(text.decode())
    elif name:
        typer.echo(_explained(chosen[0]))
    else:
        width = max(len(profile.name) for profile in chosen)
        for profile in chosen:
            typer.echo(f"{profile.name.ljust(width)}  {profile.title}")
        typer.echo("\n`corefbench profiles NAME` explains one.")


def _explained(profile: "Profile") -> str:
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
