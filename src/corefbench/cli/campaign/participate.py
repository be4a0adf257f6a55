"""``corefbench campaign``: commands of participants, which talk to a server."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli.campaign.options import Phase, Server, Task, Token, make_client
from corefbench.cli.options import JsonFormat, is_json, method_option
from corefbench.cli.output import print_findings

if TYPE_CHECKING:
    from corefbench.campaign.client import SubmissionStatus


def download(
    phase: Phase,
    task: Task,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A file for the data.")],
    server: Server = "",
    token: Token = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask, although a window may open.")] = False,
) -> None:
    """Download the input of a task, and print the receipt.

    If the phase has a window, the first download opens it: from then on your team has so many
    hours to submit.

    Example: corefbench campaign download test task-1 task-1.xml --server https://example.org
    """
    from corefbench.report.renderers import render_json

    client = make_client(server, token)
    if not yes:
        typer.confirm("The first download may open your team's window. Continue?", abort=True, err=True)
    typer.echo(render_json(client.download(phase, task, out)))


def submit(
    phase: Phase,
    task: Task,
    answers: Annotated[
        Path, typer.Argument(metavar="ANSWERS", exists=True, dir_okay=False, help="A file, plain, gzipped or zipped.")
    ],
    server: Server = "",
    token: Token = "",
    label: Annotated[str, method_option("Your name for the submission.")] = "",
    check: Annotated[
        bool,
        method_option(
            "Let the server check the file first; an unreadable file is not submitted.", "--check/--no-check"
        ),
    ] = True,
    only_check: Annotated[bool, method_option("Check the file, submit nothing.", "--only-check")] = False,
    request: Annotated[str, method_option("An id of your own: sent again with it, nothing is submitted twice.")] = "",
    wait: Annotated[float, method_option("Seconds to wait for the score.", min=0)] = 0,
) -> None:
    """Submit answers, and print the receipt: keep it.

    If the connection breaks they are sent again; the server accepts them once. Exits with 3 if they
    are refused.

    Example: corefbench campaign submit test task-1 answers.xml --server https://example.org
    """
    from secrets import token_hex

    from corefbench.campaign.client import Refused
    from corefbench.report.renderers import render_json

    client = make_client(server, token)
    if only_check:
        checked = client.check(phase, task, answers)
        print_findings(checked.findings)
        typer.echo("can be submitted" if checked.valid else "cannot be read")
        raise typer.Exit(0 if checked.valid else 3)
    # The id makes a repeated request harmless if the connection breaks after the server has accepted.
    request_id = request or token_hex(16)
    try:
        receipt = client.submit(phase, task, answers, label=label, check=check, request=request_id)
    except Refused as refused:
        print_findings(refused.findings)
        raise
    typer.echo(render_json(receipt))
    if wait:
        typer.echo(render_json(client.wait(receipt.number, seconds=wait)))


def status(
    submission: Annotated[
        str | None, typer.Argument(metavar="[SUBMISSION]", help="The number on the receipt; default: all.")
    ] = None,
    server: Server = "",
    token: Token = "",
    format: JsonFormat = "table",
) -> None:
    """Show the state of submissions, and their scores once released.

    Example: corefbench campaign status --server https://example.org
    """
    from corefbench.report.renderers import render_json

    as_json = is_json(format)
    client = make_client(server, token)
    statuses = [client.status(submission)] if submission is not None else client.submissions()
    if as_json:
        typer.echo(render_json(statuses[0] if submission else statuses))
        return
    for each in statuses:
        typer.echo(_format_status(each))


def _format_status(status: "SubmissionStatus") -> str:
    parts = [status.id, f"{status.received[:19]}Z", f"{status.phase}/{status.task}", status.state]
    if status.queue_position is not None:
        parts.append(f"number {status.queue_position} in the queue")
    if status.result is not None:
        parts.append(f"{status.result.ranking} {100 * status.result.headline:.2f}")
    return "  ".join([*parts, *filter(None, (status.message, status.label))])


def verify_receipt(
    receipt: Annotated[
        Path, typer.Argument(metavar="RECEIPT", exists=True, dir_okay=False, help="The JSON that `submit` printed.")
    ],
    answers: Annotated[
        Path | None, typer.Argument(metavar="[ANSWERS]", exists=True, dir_okay=False, help="The file that it is about.")
    ] = None,
    server: Server = "",
) -> None:
    """Ask the server whether it issued a receipt, and compare a file with it. Exits with 1 if not.

    Example: corefbench campaign verify-receipt receipt.json answers.xml --server https://example.org
    """
    import msgspec

    from corefbench.campaign.domain.submissions import Receipt
    from corefbench.errors import DataError, Place, VerificationFailed

    try:
        shown = msgspec.json.decode(receipt.read_bytes(), type=Receipt)
    except msgspec.DecodeError as error:
        raise DataError(
            "this is not a receipt", code="CB313", place=Place(source=str(receipt)), found=str(error)
        ) from error
    if answers is not None and _hash_file(answers) != shown.sha256:
        raise VerificationFailed("the receipt is about another file", code="CB313", found=_hash_file(answers))
    if not make_client(server, "").is_genuine(shown):
        raise VerificationFailed("the server did not issue this receipt", code="CB313")
    typer.echo(f"genuine: {shown.what} {shown.number}, {shown.time}")


def _hash_file(path: Path) -> str:
    import hashlib

    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
