"""``corefbench campaign dry-run``: a campaign played through before anybody takes part."""

from typing import Annotated

import typer

from corefbench.cli.campaign.options import Folder, Format, as_json, missing_extra, shape_of
from corefbench.cli.options import HOW


def dry_run(
    folder: Folder,
    resolvers: Annotated[
        str | None,
        typer.Option(help="Who takes part: resolvers, comma-separated.", rich_help_panel=HOW),
    ] = None,
    format: Format = "table",
) -> None:
    """Play all phases by a clock that is moved, with resolvers as teams, and tell what is seen.

    Nothing is kept, nothing of the campaign is changed. Exits with 1 where something does not go as
    the definition says.

    Example: corefbench campaign dry-run exercise
    """
    with missing_extra():
        from corefbench.campaign.baselines import BASELINES
        from corefbench.campaign.dry_run import Step, require_faultless
        from corefbench.campaign.dry_run import dry_run as play
    from corefbench.cli.bench import split

    is_json = shape_of(format)

    def say(step: Step) -> None:
        if not is_json:
            mark = " " if step.as_expected else "!"
            typer.echo(f"{mark} {step.time[:19]}Z {step.phase:10} {step.who}: {step.what}")

    played = play(folder, teams=split(resolvers) if resolvers else BASELINES, say=say)
    if is_json:
        typer.echo(as_json(played))
    require_faultless(played)
