"""``corefbench campaign status``: what has become of submissions."""

from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli.campaign.options import Format, Server, Token, as_json, client_of, shape_of

if TYPE_CHECKING:
    from corefbench.campaign.client_records import Status


def status(
    submission: Annotated[
        str | None,
        typer.Argument(metavar="[SUBMISSION]", help="The number on the receipt; else all."),
    ] = None,
    server: Server = "",
    token: Token = "",
    format: Format = "table",
) -> None:
    """Show where submissions stand: in the queue, scored, invalid …, and scores once released.

    Example: corefbench campaign status --server https://example.org
    """
    is_json = shape_of(format)
    client = client_of(server, token)
    found = [client.status(submission)] if submission is not None else client.submissions()
    if is_json:
        typer.echo(as_json(found[0] if submission else found))
        return
    for one in found:
        typer.echo(_line(one))


def _line(one: "Status") -> str:
    """A submission in one line."""
    words = [one.id, f"{one.received[:19]}Z", f"{one.phase}/{one.task}", one.state]
    if one.queue_position is not None:
        words.append(f"place {one.queue_position} in the queue")
    if one.result is not None:
        words.append(f"{one.result.ranking} {100 * one.result.headline:.2f}")
    if one.message:
        words.append(one.message)
    return "  ".join([*words, *([one.label] if one.label else [])])
