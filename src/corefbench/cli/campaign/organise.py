"""``corefbench campaign``: commands that set up, check, serve, export and back up a campaign."""

import signal
import sys
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated

import typer

from corefbench.cli.campaign.options import Database, Folder, RequireSandbox, State, opened_platform
from corefbench.cli.options import (
    InputFormat,
    JsonFormat,
    is_json,
    method_option,
    name_missing_extra,
    output_option,
    require_one_of,
)

if TYPE_CHECKING:
    from corefbench.campaign.platform import Platform

_EXPORT_FORMATS = {"latex": "tex", "csv": "csv", "markdown": "md", "json": "json"}


def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder; created if missing.")],
    corpus: Annotated[str, method_option("A file, a folder, or a name: bundled, np4e …")] = "bundled",
    task: Annotated[
        str, method_option("are: the four tasks of the exercise; or a profile such as conll-2012.")
    ] = "are",
    title: Annotated[str, method_option("Title of the campaign.")] = "",
    contact: Annotated[str, method_option("E-mail address for participants.")] = "",
    input_format: InputFormat = None,
) -> None:
    """Create the folder of a campaign: its configuration, inputs and keys, made from a corpus.

    A third of the documents are for training, the others for a blind test with a window of 48
    hours. Edit dates, quotas and titles in FOLDER/campaign.toml.

    Example: corefbench campaign init exercise --corpus np4e
    """
    from corefbench.campaign.scaffold import create_campaign
    from corefbench.cli.inputs import corpus_source
    from corefbench.formats.load import load

    source = corpus_source(corpus)
    with name_missing_extra("campaign"):
        campaign = create_campaign(
            folder,
            now=datetime.now(UTC),
            corpus=load(source, format=input_format) if isinstance(source, str) else source,
            profile=task,
            title=title,
            contact=contact,
        )
    phases = ", ".join(phase.name for phase in campaign.phases)
    tasks = ", ".join(task.name for task in campaign.tasks)
    typer.echo(f"{folder / 'campaign.toml'}: {campaign.title} ({tasks}; {phases})")
    typer.echo(
        f"next: corefbench campaign dry-run {folder}, "
        f"corefbench campaign organiser {folder} EMAIL, corefbench campaign serve {folder}",
        err=True,
    )


def validate(folder: Folder, format: JsonFormat = "table") -> None:
    """Check the configuration and all files of a campaign.

    Keys are loaded and scored against themselves; inputs must not contain chains. Exits with 3 if
    there are errors.

    Example: corefbench campaign validate exercise
    """
    from corefbench.campaign.config_file import find_problems
    from corefbench.report.renderers import render_json

    as_json = is_json(format)
    findings = find_problems(folder)
    if as_json:
        typer.echo(render_json({"folder": str(folder), "findings": findings}))
    else:
        for finding in findings:
            typer.echo(str(finding))
        if not findings:
            typer.echo(f"{folder}: no problems found")
    if any(finding.severity == "error" for finding in findings):
        raise typer.Exit(3)


def dry_run(
    folder: Folder,
    resolvers: Annotated[str | None, method_option("Resolvers that take part, comma-separated.")] = None,
    format: JsonFormat = "table",
) -> None:
    """Rehearse all phases with resolvers as teams, and report what everybody sees.

    Nothing is stored and nothing in the folder is changed. Exits with 1 if something does not go
    as the configuration says.

    Example: corefbench campaign dry-run exercise
    """
    with name_missing_extra("campaign"):
        from corefbench.campaign import dry_run as rehearsal
    from corefbench.cli.inputs import split_names
    from corefbench.report.renderers import render_json

    as_json = is_json(format)

    def print_step(step: rehearsal.Step) -> None:
        if not as_json:
            mark = " " if step.as_expected else "!"
            typer.echo(f"{mark} {step.time[:19]}Z {step.phase:10} {step.who}: {step.what}")

    teams = split_names(resolvers) if resolvers else rehearsal.BASELINES
    result = rehearsal.dry_run(folder, teams=teams, on_step=print_step)
    if as_json:
        typer.echo(render_json(result))
    rehearsal.require_faultless(result)


def organiser(
    folder: Folder,
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="The address to sign in with.")],
    name: Annotated[str, typer.Option(help="Name of the person; default: the address.")] = "",
    state: State = None,
    database: Database = "",
) -> None:
    """Create an organiser, who approves teams, watches, rescores, disqualifies and publishes.

    The password is prompted for, or read from standard input if that is not a terminal.

    Example: corefbench campaign organiser exercise you@example.org
    """
    from corefbench.errors import UsageError

    if not 3 <= len(email) <= 254 or "@" not in email or email != email.strip():
        raise UsageError("this is not an e-mail address", found=email)
    with opened_platform(folder, state, database) as platform:
        from corefbench.campaign.storage.credentials import hash_password
        from corefbench.campaign.storage.users import create_organiser

        password_hash = hash_password(_read_password())
        with platform.database.write() as connection:
            user = create_organiser(
                connection, email=email, name=name or email, password_hash=password_hash, now=platform.clock()
            )
    typer.echo(f"{user.email} is an organiser")


def password(
    folder: Folder,
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="The address they sign in with.")],
    ask: Annotated[bool, typer.Option("--ask", help="Ask for the new password instead of generating one.")] = False,
    state: State = None,
    database: Database = "",
) -> None:
    """Set a new password for a user: randomly generated and printed, or asked for.

    All their sessions end; their tokens stay valid. The reset is written to the audit log. With
    --ask, the password is read from standard input if that is not a terminal.

    Example: corefbench campaign password exercise ada@example.org
    """
    with opened_platform(folder, state, database) as platform:
        from secrets import token_urlsafe

        from corefbench.campaign.storage.credentials import hash_password, reset_password

        new_password = _read_password() if ask else token_urlsafe(15)
        password_hash = hash_password(new_password)
        with platform.database.write() as connection:
            user = reset_password(connection, email, password_hash, platform.clock())
    typer.echo(f"{user.email} has a new password" if ask else new_password)


def _read_password() -> str:
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    return sys.stdin.readline().rstrip("\n")


def serve(
    folder: Folder,
    host: Annotated[str, method_option("The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, method_option("The port; 0 for any free port.")] = 8767,
    name: Annotated[
        list[str] | None, method_option("A host name to accept, such as campaign.example.org. May be repeated.")
    ] = None,
    behind_proxy: Annotated[
        bool,
        method_option("Trust the forwarding headers of a proxy on this machine that does HTTPS.", "--behind-proxy"),
    ] = False,
    workers: Annotated[int, method_option("Scoring workers in the server; 0 if they run elsewhere.", min=0)] = 1,
    require_sandbox: RequireSandbox = False,
    state: State = None,
    database: Database = "",
) -> None:
    """Serve a campaign until stopped: pages, JSON API, scoring, metrics.

    By default it listens on this machine only; put a web server that does HTTPS in front of it.
    The log on standard error has one JSON object per line. When stopped, it finishes the requests
    it has begun.

    Example: corefbench campaign serve exercise --name campaign.example.org --behind-proxy
    """
    with opened_platform(folder, state, database) as platform:
        from corefbench.campaign.config_file import require_files
        from corefbench.campaign.logs import log_to
        from corefbench.campaign.server import serve as run_server

        require_files(folder, platform.campaign)
        # uvicorn raises the signal again after it has stopped: as an exception, the platform
        # is still closed.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with log_to(sys.stderr):
            run_server(
                platform,
                host=host,
                port=port,
                names=name or [],
                behind_proxy=behind_proxy,
                workers=workers,
                require_sandbox=require_sandbox,
                say=lambda line: typer.echo(line, err=True),
            )


def worker(
    folder: Folder,
    state: State = None,
    database: Database = "",
    name: Annotated[str, typer.Option(help="Name in the log; default: host name and process id.")] = "",
    require_sandbox: RequireSandbox = False,
) -> None:
    """Score submissions until stopped, beside a server or on another machine.

    Other machines need the folder, the same PostgreSQL database, and the state on a shared disk.
    When stopped, a worker returns its submission to the queue.

    Example: corefbench campaign worker exercise --database postgresql+psycopg://host/campaign
    """
    import os
    import socket

    stop = Event()
    with opened_platform(folder, state, database) as platform:
        from corefbench.campaign.config_file import require_files
        from corefbench.campaign.jobs.sandbox import report_sandbox
        from corefbench.campaign.jobs.worker import run_worker
        from corefbench.campaign.logs import log_to

        require_files(folder, platform.campaign)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        worker_name = name or f"{socket.gethostname()}-{os.getpid()}"
        with log_to(sys.stderr):
            report_sandbox(required=require_sandbox)
            run_worker(platform, stop=stop, name=worker_name[:64])


def export(
    folder: Folder,
    site: Annotated[Path | None, typer.Argument(metavar="[SITE]", help="A new folder for a static site.")] = None,
    phase: Annotated[str, typer.Option(help="Only the boards of this phase.")] = "",
    task: Annotated[str, typer.Option(help="Only the boards of this task.")] = "",
    organiser: Annotated[
        bool, typer.Option("--organiser", help="As organisers see it: before publication, with names.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write into a folder that is not empty.")] = False,
    format: Annotated[str, output_option("latex, csv, markdown or json.", "--format", "-f")] = "csv",
    state: State = None,
    database: Database = "",
) -> None:
    """Print boards, or write what is published as a static site.

    Example: corefbench campaign export exercise site
    """
    require_one_of(format, *_EXPORT_FORMATS)
    with opened_platform(folder, state, database) as platform:
        if site is not None:
            from corefbench.campaign.views.static_site import write_site

            pages = write_site(platform, site, force=force)
            typer.echo(f"{site / 'index.html'}: {pages} pages")
        else:
            for text in _export_boards(platform, phase, task, _EXPORT_FORMATS[format], organiser):
                typer.echo(text.rstrip("\n"))


def _export_boards(platform: "Platform", phase: str, task: str, extension: str, organiser: bool) -> list[str]:
    from corefbench.campaign.domain.visibility import Role
    from corefbench.campaign.leaderboard import build_board, export_board
    from corefbench.campaign.storage.settings import is_published

    role: Role = "organiser" if organiser else "visitor"
    if phase:
        phases = [platform.campaign.phase(phase)]
    else:
        with platform.database.read() as connection:
            phases = [each for each in platform.campaign.phases if organiser or is_published(connection, each.name)]
    return [
        export_board(build_board(platform, each.name, data.task, role=role), extension)
        for each in phases
        for data in each.data
        if task in ("", data.task)
    ]


def backup(
    folder: Folder,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A file, such as backup.tar.")],
    state: State = None,
    database: Database = "",
) -> None:
    """Save accounts, submissions, scores and files in one file; the server may keep running.

    The file contains secrets: only you can read it. The folder of the campaign is not included;
    keep it under version control.

    Example: corefbench campaign backup exercise backup.tar
    """
    with opened_platform(folder, state, database) as platform:
        from corefbench.campaign.backup import backup as write_backup

        manifest = write_backup(platform, out)
    rows = sum(table.rows for table in manifest.tables)
    typer.echo(f"{out}: {rows} rows, {len(manifest.files)} files")


def restore(
    folder: Folder,
    archive: Annotated[Path, typer.Argument(metavar="BACKUP", help="What `backup` wrote.")],
    state: State = None,
    database: Database = "",
) -> None:
    """Restore a backup into an empty state, on SQLite or PostgreSQL.

    Every part is verified; either all of it is restored or nothing.

    Example: corefbench campaign restore exercise backup.tar --state new-state
    """
    from corefbench.campaign.config_file import read_campaign
    from corefbench.errors import MismatchError

    with name_missing_extra("campaign"):
        from corefbench.campaign.backup import read_manifest
        from corefbench.campaign.backup import restore as restore_backup

    campaign = read_campaign(folder).name
    saved = read_manifest(archive).campaign
    if saved != campaign:
        raise MismatchError("the backup is of another campaign", code="CB330", found=saved, expected=campaign)
    manifest = restore_backup(archive, state or folder / "state", database)
    rows = sum(table.rows for table in manifest.tables)
    typer.echo(f"{manifest.campaign} as of {manifest.made}: {rows} rows, {len(manifest.files)} files")
