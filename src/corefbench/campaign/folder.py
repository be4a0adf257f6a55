"""The folder of a campaign: ``campaign.toml`` and the files that it names.

``read_campaign`` refuses what no server could run; ``problems`` also opens every file.
"""

import re
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from corefbench.campaign.domain.definition import Campaign
from corefbench.campaign.faults import Fault, unknown_fields
from corefbench.campaign.soundness import faults
from corefbench.campaign.toml_lines import line_of, path_of
from corefbench.errors import DataError, Place
from corefbench.findings import Finding

NAME = "campaign.toml"
_AT = re.compile(r"(.*?)(?: - at `(\$[^`]*)`)?$", re.DOTALL)
_LINE = re.compile(r"(.*) \(at line (\d+), column (\d+)\)$", re.DOTALL)
_LARGEST = 1 << 20


def read_campaign(folder: Path) -> Campaign:
    """The campaign of a folder; the first fault of its definition is raised, with its line."""
    text, raw = _parsed(folder / NAME)
    for fault in unknown_fields(raw, Campaign):
        raise _error(folder / NAME, text, fault)
    campaign = _converted(folder / NAME, text, raw)
    for fault in faults(campaign, folder):
        raise _error(folder / NAME, text, fault)
    return campaign


def problems(folder: Path) -> list[Finding]:
    """Everything that is wrong with a folder, its files opened; empty where all is well.

    Errors keep a campaign from being run as its definition says; warnings are for the organisers to
    weigh.
    """
    try:
        text, raw = _parsed(folder / NAME)
        unknown = list(unknown_fields(raw, Campaign))
        if unknown:
            return [_finding(folder / NAME, text, fault) for fault in unknown]
        campaign = _converted(folder / NAME, text, raw)
    except DataError as error:
        return [Finding.of(error)]
    wrong = list(faults(campaign, folder)) or list(_in_depth(campaign, folder))
    return [_finding(folder / NAME, text, fault) for fault in wrong]


def require_files(folder: Path, campaign: Campaign) -> None:
    """An error where a file of the campaign is not there: a server could not go on without it."""
    from corefbench.campaign.data_checks import missing_files

    for fault in missing_files(campaign, folder):
        text, _ = _parsed(folder / NAME)
        raise _error(folder / NAME, text, fault)


def _in_depth(campaign: Campaign, folder: Path) -> Iterator[Fault]:
    from corefbench.campaign.data_checks import data_faults

    return data_faults(campaign, folder)


def _parsed(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        if path.stat().st_size > _LARGEST:
            raise DataError("the definition is too large", code="CB308", place=_place(path))
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(
            "the folder has no definition of a campaign",
            code="CB308",
            place=_place(path),
            found=error.strerror or str(error),
            remedy="`corefbench campaign init FOLDER` makes one",
        ) from error
    except UnicodeDecodeError as error:
        raise DataError("the text is not valid UTF-8", code="CB308", place=_place(path)) from error
    try:
        return text, tomllib.loads(text)
    except RecursionError as error:
        raise DataError(
            "the definition is nested too deep", code="CB308", place=_place(path)
        ) from error
    except tomllib.TOMLDecodeError as error:
        said = _LINE.match(str(error))
        place = _place(path, int(said[2]), int(said[3])) if said else _place(path)
        message = said[1] if said else str(error)
        raise DataError(
            "the definition is not TOML", code="CB308", place=place, found=message
        ) from error


def _converted(path: Path, text: str, raw: dict[str, Any]) -> Campaign:
    try:
        campaign = msgspec.convert(raw, Campaign)
    except msgspec.ValidationError as error:
        said = _AT.match(str(error))
        where = path_of(said[2]) if said and said[2] else ()
        message = said[1] if said else str(error)
        raise DataError(
            "the definition has something missing or of the wrong kind",
            code="CB308",
            place=_place(path, line_of(text, where)),
            found=_words(message),
            remedy=f"see {'.'.join(map(str, where))}" if where else "",
        ) from error
    return _in_utc(campaign)


def _in_utc(campaign: Campaign) -> Campaign:
    """All times in UTC; those without a zone are left, to be refused."""

    def utc(time: datetime) -> datetime:
        try:
            return time.astimezone(UTC) if time.tzinfo is not None else time
        except OverflowError:  # at either end of the calendar: refused later
            return time.replace(tzinfo=UTC)

    phases = tuple(
        msgspec.structs.replace(phase, opens=utc(phase.opens), closes=utc(phase.closes))
        for phase in campaign.phases
    )
    return msgspec.structs.replace(campaign, phases=phases)


def _words(message: str) -> str:
    """The words of msgspec in those of TOML."""
    for theirs, ours in (("Object missing", "missing"), ("`object`", "a table"), ("`", "")):
        message = message.replace(theirs, ours)
    return message


def _place(path: Path, line: int = 0, column: int = 0) -> Place:
    return Place(source=str(path), line=line, column=column)


def _error(path: Path, text: str, fault: Fault) -> DataError:
    return DataError(
        fault.message,
        code=fault.code,
        place=_place(path, line_of(text, fault.path)),
        found=fault.found,
        expected=fault.expected,
        remedy=fault.remedy,
    )


def _finding(path: Path, text: str, fault: Fault) -> Finding:
    found = ", expected ".join(said for said in (fault.found, fault.expected) if said)
    return Finding(
        code=fault.code,
        severity=fault.severity,
        message=fault.message,
        place=_place(path, line_of(text, fault.path)),
        found=found,
        remedy=fault.remedy,
    )
