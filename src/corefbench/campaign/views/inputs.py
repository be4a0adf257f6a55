"""The data of a task, as one file: as it is, or a folder as a zip that is always the same."""

import hashlib
import zipfile
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from corefbench.campaign.domain.admission import Refusal
from corefbench.campaign.domain.receipts import Receipt, sealed
from corefbench.campaign.fingerprints import changed
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.files import FileStore, Stored
from corefbench.campaign.storage.windows import Download, download, record_download, window_closes
from corefbench.campaign.views.access import NotThere, Visitor
from corefbench.campaign.views.records import Handed
from corefbench.campaign.views.routes import address
from corefbench.errors import UsageError
from corefbench.record import Record

_DAWN = (1980, 1, 1, 0, 0, 0)
"""The time of every entry: the same folder gives the same bytes."""


class Input(Record, frozen=True):
    """A file to hand out."""

    path: Path
    name: str
    stored: Stored


def input_of(platform: Platform, phase: str, task: str) -> Input:
    """The input of a task in a phase."""
    data = platform.campaign.phase(phase).data_of(task)
    if not data.input:
        raise NotThere("there is nothing to download for this task")
    source = platform.path(data.input)
    if source.is_dir():
        stored = _packed(platform.files, source, changed(source))
        name = f"{platform.campaign.name}-{phase}-{task}.zip"
        return Input(path=platform.files.path(stored.sha256), name=name, stored=stored)
    return Input(path=source, name=source.name, stored=_measured(source, changed(source)))


def take(platform: Platform, visitor: Visitor, phase: str, task: str) -> Download:
    """Note that a team takes the data; its window opens with the first time."""
    given = input_of(platform, phase, task)
    with platform.database.write() as connection:
        made = record_download(
            connection,
            platform.campaign,
            team=visitor.team,
            person=visitor.person,
            phase=phase,
            task=task,
            sha256=given.stored.sha256,
            bytes=given.stored.bytes,
            now=platform.clock(),
        )
    if isinstance(made, Refusal):
        raise UsageError(made.message, code=made.code, remedy=made.remedy)
    return made


def handed(platform: Platform, visitor: Visitor, id: str, *, route: str = "data") -> Handed:
    """A download of the team of who asks; for all others it is not there."""
    with platform.database.read() as connection:
        found = download(connection, id)
        if found is None or (visitor.role != "organiser" and found.team != visitor.team):
            raise NotThere("there is no such download", found=id[:64])
        closes = window_closes(connection, found.team, found.phase, found.task)
    given = input_of(platform, found.phase, found.task)
    return Handed(
        download=found.id,
        file=address(route, download=found.id),
        file_name=given.name,
        receipt=receipt_of(platform, found),
        window_closes=closes,
    )


def receipt_of(platform: Platform, found: Download) -> Receipt:
    """The receipt with its seal."""
    return sealed(found.receipt, platform.secret)


@lru_cache(maxsize=64)
def _measured(source: Path, _: tuple[int, ...]) -> Stored:
    with source.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    return Stored(sha256=sha256, bytes=source.stat().st_size)


@lru_cache(maxsize=64)
def _packed(files: FileStore, folder: Path, _: tuple[int, ...]) -> Stored:
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = file.relative_to(folder).as_posix()
            archive.writestr(zipfile.ZipInfo(name, _DAWN), file.read_bytes(), compresslevel=6)
    return files.put(made.getvalue())
