"""``corefbench campaign validate``: whether a folder is in order."""

import typer

from corefbench.cli.campaign.options import Folder, Format, as_json, shape_of


def validate(folder: Folder, format: Format = "table") -> None:
    """Check the definition and all files of a campaign.

    Keys are loaded and scored against themselves, inputs are looked through for chains. Exits with
    3 where there are errors.

    Example: corefbench campaign validate exercise
    """
    from corefbench.campaign.folder import problems

    is_json = shape_of(format)
    found = problems(folder)
    if is_json:
        typer.echo(as_json({"folder": str(folder), "findings": found}))
    else:
        for finding in found:
            typer.echo(str(finding))
        if not found:
            typer.echo(f"{folder}: in order")
    if any(finding.severity == "error" for finding in found):
        raise typer.Exit(3)
