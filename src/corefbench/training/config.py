"""The configuration of a training, as a TOML file says it.

kind = "neural"
seed = 0
[[train]]
corpus = "litbank/0/train"
scheme = "litbank"
[[dev]]
corpus = "litbank/0/dev"
scheme = "litbank"
[model]
[training]
epochs = 10
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from corefbench.errors import FormatError, Place
from corefbench.preprocess import DEFAULT
from corefbench.record import Record

T = TypeVar("T")


class Source(Record, frozen=True, forbid_unknown_fields=True):
    """A corpus to learn from, or to choose by."""

    corpus: str
    """A path, ``bundled``, or a name of the catalogue such as ``litbank/0/train``."""
    scheme: str = "own"
    """What its annotation is called; corpora of one scheme have the same kinds of mentions."""
    also: Mapping[str, str] = {}
    """Further annotation of the same documents: by scheme, the corpus. For the source's own scheme
    it replaces the annotation of ``corpus``."""
    only: tuple[str, ...] = ()
    """The documents to take, by name or by a part of it between ``_`` or ``-``, such as a
    genre."""
    without: tuple[str, ...] = ()
    """The documents to leave out, named alike."""
    lenient: bool = False
    """Whether faults of the files are repaired rather than refused."""


class Config(Record, frozen=True, forbid_unknown_fields=True):
    """What to train, on what, and how."""

    kind: Literal["ubiu", "neural", "cross-document"]
    train: tuple[Source, ...]
    dev: tuple[Source, ...] = ()
    calibrate: tuple[Source, ...] = ()
    """Corpora of schemes that ``dev`` does not have, on which only thresholds are chosen."""
    seed: int = 0
    share: float = 1.0
    """The share of the training documents to learn from."""
    licence: str = ""
    notes: str = ""
    start: str = ""
    """The folder of a trained model of the same kind and shape whose weights are the first."""
    preprocess: str = DEFAULT
    """The pipeline that finds noun phrases, for models that need them."""
    model: Mapping[str, Any] = {}
    training: Mapping[str, Any] = {}
    source: str = ""
    """The file, as errors name it; set on reading."""


def read_config(path: Path) -> Config:
    """Read a configuration; what is wrong in it is said with its place."""
    text = ""
    try:
        text = path.read_text("utf-8")
        config = msgspec.convert(tomllib.loads(text), Config)
    except OSError as error:
        raise FormatError(
            "the file cannot be read",
            code="CB006",
            place=Place(source=str(path)),
            found=error.strerror or str(error),
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise _unusable(str(error), _place(path, text, str(error))) from error
    where = Place(source=str(path))
    if not config.train:
        raise _unusable("no [[train]]", where)
    if not 0 < config.share <= 1:
        raise _unusable(f"share {config.share}", where, "a share above 0, at most 1")
    return msgspec.structs.replace(config, source=str(path))


def settings(values: Mapping[str, Any], kind: type[T], where: str, source: str = "") -> T:
    """A part of a configuration as the record it stands for; unknown names are refused."""
    known = kind.__struct_fields__  # type: ignore[attr-defined]
    unknown = [name for name in values if name not in known]
    place = Place(source=source)
    if unknown:
        raise _unusable(f"{unknown[0]!r} in [{where}]", place, ", ".join(known))
    try:
        return msgspec.convert(dict(values), kind)
    except msgspec.ValidationError as error:
        raise _unusable(f"[{where}]: {error}", place, "a value that fits") from error


_EXPECTED = "a TOML file with kind, [[train]] and [[dev]]; see the page on training"


def _unusable(found: str, place: Place, expected: str = _EXPECTED) -> FormatError:
    return FormatError(
        "the configuration cannot be used",
        code="CB250",
        place=place,
        found=found,
        expected=expected,
    )


def _place(path: Path, text: str, message: str) -> Place:
    """The line that the parser names, or that of the setting which does not fit."""
    at = re.search(r"at line (\d+), column (\d+)", message)
    if at:
        return Place(source=str(path), line=int(at[1]), column=int(at[2]))
    named = re.search(r"unknown field `(\w+)`", message) or re.search(
        r"\$.*?(\w+)(?:\[.*)?`$", message
    )
    if named:
        for number, line in enumerate(text.splitlines(), 1):
            if re.match(rf"\s*(\[+\s*)?{named[1]}\b", line):
                return Place(source=str(path), line=number)
    return Place(source=str(path))
