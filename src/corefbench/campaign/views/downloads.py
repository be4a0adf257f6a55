"""Download the data of a task."""

import hashlib
import zipfile
from collections.abc import Mapping
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from corefbench.campaign.domain.submissions import Refusal, check_phase_open, sign_receipt
from corefbench.campaign.platform import Platform, get_modification_times
from corefbench.campaign.storage.downloads import Download, get_download, get_window, get_window_end, record_download
from corefbench.campaign.storage.files import FileStore, StoredFile
from corefbench.campaign.views.auth import Visitor
from corefbench.campaign.views.routes import url_for
from corefbench.campaign.views.schemas import DownloadInfo
from corefbench.campaign.views.tasks import format_countdown, phase_state
from corefbench.errors import UsageError
from corefbench.records import Record
from corefbench.web.errors import NotFound
from corefbench.web.pages import Page, Query
from corefbench.web.responses import FileContent

_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every entry: equal folders give equal bytes."""


class TaskInput(Record, frozen=True):
    """The data of a task as a file."""

    path: Path
    name: str
    stored: StoredFile


def download_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show the receipt, and the file while the phase is open."""
    download, now = _download_info(platform, visitor, query["download"]), platform.clock()
    phase, task = platform.campaign.phase(download.receipt.phase), download.receipt.task
    closes = download.window_closes
    task_url = url_for("task", phase=phase.name, task=task)
    return Page(
        template="download.html",
        title="Data to download",
        model={
            "download": download,
            "open": phase_state(phase, now) == "open",
            "window_countdown": format_countdown(closes, now) if closes else "",
        },
        breadcrumbs=(
            (platform.campaign.title, url_for("home")),
            (f"{platform.campaign.task(task).title}, {phase.title}", task_url),
        ),
    )


def download_action(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """Record a download; the first one must confirm that it opens the window."""
    phase = platform.campaign.phase(form["phase"])
    # A window cannot be closed again: nobody should open it by accident.
    if phase.window is not None and form.get("understood") != "yes":
        with platform.database.read() as connection:
            window = get_window(connection, visitor.team, phase.name, form["task"])
        if window is None:
            raise UsageError(
                "the window opens with the first download",
                code="CB304",
                remedy=f"confirm that {phase.window_hours:g} hours begin now",
            )
    download = _record_download(platform, visitor, phase.name, form["task"])
    return url_for("download", download=download.id)


def data_file(platform: Platform, visitor: Visitor, query: Query) -> FileContent:
    """Return the data of a download while the phase is open."""
    receipt = _download_info(platform, visitor, query["download"]).receipt
    refusal = check_phase_open(platform.campaign.phase(receipt.phase), platform.clock())
    if refusal is not None:
        raise UsageError(refusal.message, code=refusal.code, remedy=refusal.remedy)
    task_input = _task_input(platform, receipt.phase, receipt.task)
    return FileContent(body=task_input.path, name=task_input.name)


def api_create_download(platform: Platform, visitor: Visitor, query: Query) -> DownloadInfo:
    """Get the URL of the data of a task; the first time opens the window of the team."""
    download = _record_download(platform, visitor, query["phase"], query["task"])
    return _download_info(platform, visitor, download.id, route="api-data")


def _record_download(platform: Platform, visitor: Visitor, phase: str, task: str) -> Download:
    task_input = _task_input(platform, phase, task)
    with platform.database.write() as connection:
        result = record_download(
            connection,
            platform.campaign,
            team=visitor.team,
            person=visitor.person,
            phase=phase,
            task=task,
            sha256=task_input.stored.sha256,
            bytes=task_input.stored.bytes,
            now=platform.clock(),
        )
    if isinstance(result, Refusal):
        raise UsageError(result.message, code=result.code, remedy=result.remedy)
    return result


def _download_info(platform: Platform, visitor: Visitor, id: str, *, route: str = "data") -> DownloadInfo:
    """Return a download to its team and to organisers; to others it does not exist."""
    with platform.database.read() as connection:
        download = get_download(connection, id)
        if download is None or (visitor.role != "organiser" and download.team != visitor.team):
            raise NotFound("there is no such download", found=id[:64])
        closes = get_window_end(connection, download.team, download.phase, download.task)
    return DownloadInfo(
        download=download.id,
        file=url_for(route, download=download.id),
        file_name=_task_input(platform, download.phase, download.task).name,
        receipt=sign_receipt(download.receipt, platform.secret),
        window_closes=closes,
    )


def _task_input(platform: Platform, phase: str, task: str) -> TaskInput:
    """Return the data of a task: the file as it is, or its folder as a zip archive."""
    data = platform.campaign.phase(phase).data_of(task)
    if not data.input:
        raise NotFound("there is nothing to download for this task")
    source = platform.path(data.input)
    modified = get_modification_times(source)
    if source.is_dir():
        stored = _zip_folder(platform.files, source, modified)
        name = f"{platform.campaign.name}-{phase}-{task}.zip"
        return TaskInput(path=platform.files.path(stored.sha256), name=name, stored=stored)
    return TaskInput(path=source, name=source.name, stored=_hash_file(source, modified))


# The modification times are part of the key, so that changed data is read again.
@lru_cache(maxsize=64)
def _hash_file(source: Path, _: tuple[int, ...]) -> StoredFile:
    with source.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    return StoredFile(sha256=sha256, bytes=source.stat().st_size)


@lru_cache(maxsize=64)
def _zip_folder(files: FileStore, folder: Path, _: tuple[int, ...]) -> StoredFile:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = file.relative_to(folder).as_posix()
            archive.writestr(zipfile.ZipInfo(name, _ZIP_EPOCH), file.read_bytes(), compresslevel=6)
    return files.put(stream.getvalue())
