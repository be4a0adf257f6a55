"""Run files: recognised, written, opened."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from corefbench.errors import FormatError, Place
from corefbench.runs.archive import (
    HEADER,
    InArchive,
    begins_like_a_run,
    refuse_too_large,
    write_archive,
)
from corefbench.runs.run import Run, decode
from corefbench.runs.schema import SCHEMA, Header

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefbench.profiles import Profile
    from corefbench.scoring.api import Where

_FIRST = b'{"schema":'
"""How files of schema 1 begin."""
_NO_RUN = "write one with --run FILE, as in `corefbench score KEY RESPONSE --run FILE`"


class _Version(msgspec.Struct, frozen=True):
    """What every version of the header holds."""

    schema: int


def is_run(path: str | Path) -> bool:
    """Whether a file is a run; looks at how it begins only."""
    path = Path(path)
    if begins_like_a_run(path):
        return True
    try:
        with open(path, "rb") as stream:
            return stream.read(len(_FIRST)) == _FIRST
    except OSError:
        return False


def save(run: Run, path: str | Path) -> None:
    """Write a run file; it is there whole or not at all."""
    names = [name for name in run.entries.names() if name != HEADER]
    refuse_too_large(len(names) + 1, sum(len(run.entries.read(name)) for name in names))
    entries = ((name, run.entries.read(name)) for name in names)
    header = msgspec.json.encode(run.header)
    write_archive(Path(path), [(HEADER, header), *entries])


def open_run(path: str | Path) -> Run:
    """Open a run file; only its header is read yet."""
    path = Path(path)
    if not begins_like_a_run(path):
        return _open_first(path)
    entries = InArchive(path)
    content = entries.read(HEADER)
    _check_version(decode(content, _Version, str(path), HEADER).schema, path)
    return Run(decode(content, Header, str(path), HEADER), entries)


def save_run(
    path: str | Path,
    key: "Where",
    responses: "Mapping[str, Where]",
    profile: "str | Profile" = "conll-2012",
    *,
    created: datetime | None = None,
    format: str | None = None,
    lenient: bool = False,
    **choices: str | None,
) -> Run:
    """Score responses against a key and keep everything in a run file.

    ``created`` is the time that the file notes, now unless given.
    """
    from corefbench.runs.record import record_scores
    from corefbench.scoring.choosing import customised

    run = record_scores(
        key,
        responses,
        customised(profile, choices),
        created=created or datetime.now(UTC),
        format=format,
        lenient=lenient,
    )
    save(run, path)
    return run


def _open_first(path: Path) -> Run:
    """A file of schema 1, or none at all."""
    from corefbench.runs.verdicts import FIRST_SCHEMA, open_first

    try:
        content = path.read_bytes() if is_run(path) else b""
        schema = msgspec.json.decode(content, type=_Version).schema
        if schema == FIRST_SCHEMA:
            return open_first(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OSError) as error:
        raise FormatError(
            "this is not a run file",
            place=Place(source=str(path)),
            found=str(error) if path.is_file() else "no such file",
            remedy=_NO_RUN,
        ) from error
    _check_version(schema, path)
    raise FormatError("this is not a run file", place=Place(source=str(path)), remedy=_NO_RUN)


def _check_version(schema: int, path: Path) -> None:
    if schema != SCHEMA:
        raise FormatError(
            "the run file is of another version",
            code="CB245",
            place=Place(source=str(path)),
            found=f"schema {schema}",
            expected=f"schema {SCHEMA}",
            remedy="open it with the corefbench that made it, or a newer one"
            if schema > SCHEMA
            else "make the run again",
        )
