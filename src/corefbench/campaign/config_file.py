"""Read and write ``campaign.toml``, and say in which line a problem is.

``read_campaign`` raises what would keep a server from running; ``find_problems`` also opens every
data file.
"""

import re
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from corefbench.campaign.domain.config import Campaign, Data, Phase, Quota, Task
from corefbench.campaign.validate import (
    Problem,
    TomlPath,
    check_config,
    check_data,
    check_files_exist,
    find_unknown_fields,
)
from corefbench.diagnostics import Finding
from corefbench.errors import DataError, Place

if TYPE_CHECKING:
    from tomlkit.items import Table

CONFIG_NAME = "campaign.toml"
_ARRAYS = {"tasks", "phases", "data"}
_MAX_CONFIG_SIZE = 1 << 20
_MSGSPEC_ERROR = re.compile(r"(.*?)(?: - at `(\$[^`]*)`)?$", re.DOTALL)
_TOML_ERROR = re.compile(r"(.*) \(at line (\d+), column (\d+)\)$", re.DOTALL)
_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\"' -]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([\w\"'.-]+)\s*=")
_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


def read_campaign(folder: Path) -> Campaign:
    """Read the campaign of a folder; raise the first problem of its configuration."""
    path = folder / CONFIG_NAME
    text, raw = _parse(path)
    for problem in find_unknown_fields(raw, Campaign):
        raise _make_error(path, text, problem)
    campaign = _convert(path, text, raw)
    for problem in check_config(campaign, folder):
        raise _make_error(path, text, problem)
    return campaign


def find_problems(folder: Path) -> list[Finding]:
    """Return all problems of a folder and its data files.

    Errors keep a campaign from being run as configured; warnings are for the organisers to weigh.
    """
    path = folder / CONFIG_NAME
    try:
        text, raw = _parse(path)
        problems = list(find_unknown_fields(raw, Campaign))
        if not problems:
            campaign = _convert(path, text, raw)
            problems = list(check_config(campaign, folder)) or list(check_data(campaign, folder))
    except DataError as error:
        return [Finding.of(error)]
    return [
        msgspec.structs.replace(Finding.of(_make_error(path, text, problem)), severity=problem.severity)
        for problem in problems
    ]


def require_files(folder: Path, campaign: Campaign) -> None:
    """Raise if a file of the campaign is missing."""
    for problem in check_files_exist(campaign, folder):
        text, _ = _parse(folder / CONFIG_NAME)
        raise _make_error(folder / CONFIG_NAME, text, problem)


def to_toml(campaign: Campaign) -> str:
    """Return the text of ``campaign.toml``, without what has its default value."""
    import tomlkit

    document = tomlkit.document()
    document.update(_make_table(campaign))
    return tomlkit.dumps(document)


def _make_table(record: Campaign | Task | Phase | Data) -> "Table":
    import tomlkit

    table = tomlkit.table()
    for field in msgspec.structs.fields(record):
        value = getattr(record, field.name)
        if field.name in _ARRAYS:
            array = tomlkit.aot()
            for entry in value:
                array.append(_make_table(entry))
            table.append(field.name, array)
        elif value != _get_default(field):
            table.append(field.name, _make_value(value))
    return table


def _get_default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def _make_value(value: Any) -> Any:
    import tomlkit

    if isinstance(value, datetime):
        return value.astimezone(UTC)
    if isinstance(value, Quota):
        value = {name: count for name, count in msgspec.to_builtins(value).items() if count}
    if isinstance(value, dict):
        table = tomlkit.inline_table()
        table.update(value)
        return table
    return value


def _parse(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        if path.stat().st_size > _MAX_CONFIG_SIZE:
            raise DataError("the configuration is too large", code="CB308", place=_make_place(path))
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(
            "the folder has no campaign.toml",
            code="CB308",
            place=_make_place(path),
            found=error.strerror or str(error),
            remedy="`corefbench campaign init FOLDER` makes one",
        ) from error
    except UnicodeDecodeError as error:
        raise DataError("the text is not valid UTF-8", code="CB308", place=_make_place(path)) from error
    try:
        return text, tomllib.loads(text)
    except RecursionError as error:
        raise DataError("the configuration is nested too deeply", code="CB308", place=_make_place(path)) from error
    except tomllib.TOMLDecodeError as error:
        match = _TOML_ERROR.match(str(error))
        place = _make_place(path, int(match[2]), int(match[3])) if match else _make_place(path)
        message = match[1] if match else str(error)
        raise DataError("the configuration is not valid TOML", code="CB308", place=place, found=message) from error


def _convert(path: Path, text: str, raw: dict[str, Any]) -> Campaign:
    try:
        campaign = msgspec.convert(raw, Campaign)
    except msgspec.ValidationError as error:
        match = _MSGSPEC_ERROR.match(str(error))
        where = parse_path(match[2]) if match and match[2] else ()
        message = match[1] if match else str(error)
        raise DataError(
            "the configuration has a missing or invalid value",
            code="CB308",
            place=_make_place(path, find_line(text, where)),
            found=_reword(message),
            remedy=f"see {'.'.join(map(str, where))}" if where else "",
        ) from error
    return _to_utc(campaign)


def _to_utc(campaign: Campaign) -> Campaign:
    """Convert all times to UTC; those without a zone stay, and are refused later."""

    def to_utc(time: datetime) -> datetime:
        try:
            return time.astimezone(UTC) if time.tzinfo is not None else time
        except OverflowError:  # at either end of the calendar: refused later
            return time.replace(tzinfo=UTC)

    phases = tuple(
        msgspec.structs.replace(phase, opens=to_utc(phase.opens), closes=to_utc(phase.closes))
        for phase in campaign.phases
    )
    return msgspec.structs.replace(campaign, phases=phases)


def _reword(message: str) -> str:
    """Translate msgspec's terms into those of TOML."""
    for term, translation in (("Object missing", "missing"), ("`object`", "a table"), ("`", "")):
        message = message.replace(term, translation)
    return message


def _make_place(path: Path, line: int = 0, column: int = 0) -> Place:
    return Place(source=str(path), line=line, column=column)


def _make_error(path: Path, text: str, problem: Problem) -> DataError:
    return DataError(
        problem.message,
        code=problem.code,
        place=_make_place(path, find_line(text, problem.path)),
        found=problem.found,
        expected=problem.expected,
        remedy=problem.remedy,
    )


def find_line(text: str, path: TomlPath) -> int:
    """Return the line, from 1, of a value or of the nearest table around it; 0 if there is none.

    tomllib does not say where a value is.

    >>> find_line('name = "a"\\n[[phases]]\\ntitle = "b"\\n[[phases]]\\n', ("phases", 1, "title"))
    4
    >>> find_line('name = "a"\\n[[phases]]\\ntitle = "b"\\n', ("phases", 0, "title"))
    3
    """
    longest, line = 0, 0
    for number, prefix in _iter_paths(text):
        if len(prefix) > longest and path[: len(prefix)] == prefix:
            longest, line = len(prefix), number
    return line


def parse_path(text: str) -> TomlPath:
    """Parse a path in a message of msgspec.

    >>> parse_path("$.phases[1].opens")
    ('phases', 1, 'opens')
    """
    steps = _STEP.findall(text.removeprefix("$"))
    return tuple(int(number) if number else key for key, number in steps)


def _iter_paths(text: str) -> Iterator[tuple[int, TomlPath]]:
    """Yield every header and key with its line and path."""
    table: TomlPath = ()
    counts: dict[TomlPath, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if header := _HEADER.match(line):
            table = _parse_header(header[1] == "[[", header[2], counts)
            yield number, table
        elif key := _KEY.match(line):
            yield number, (*table, *_split_keys(key[1]))


def _parse_header(repeats: bool, name: str, counts: dict[TomlPath, int]) -> TomlPath:
    """Return the path of a header, with an index for every array of tables on it."""
    path: TomlPath = ()
    keys = _split_keys(name)
    for depth, key in enumerate(keys):
        path = (*path, key)
        if repeats and depth == len(keys) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _split_keys(name: str) -> list[str]:
    return [key.strip().strip("\"'") for key in name.split(".")]
