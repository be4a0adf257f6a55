"""Prompt templates: files of a few fields, those of corefbench by name, others by path."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from corefbench.errors import DataError, Place, UnknownName
from corefbench.formats.source import unreadable
from corefbench.language_models.marking import Notation
from corefbench.record import Record

Task: TypeAlias = Literal["mark-all", "given-mentions", "answer-pronoun"]

_FOLDER = Path(__file__).with_name("templates")
_PLACE = re.compile(r"\{\{(\w+)\}\}")


class Template(Record, frozen=True, forbid_unknown_fields=True):
    """What is said to the model. ``{{text}}``, ``{{singletons}}``, ``{{pronoun}}`` and
    ``{{sentence}}`` are replaced."""

    name: str
    description: str
    task: Task
    system: str
    user: str
    notation: Notation = "links"
    singletons: Mapping[str, str] = {}
    """What to say where singletons are kept (``keep``) and where they are not (``strip``)."""

    def filled(self, pattern: str, /, **values: str) -> str:
        """A text with its places filled; unknown ones are left as they are."""
        return _PLACE.sub(lambda place: values.get(place[1], place[0]), pattern).strip()


def names() -> list[str]:
    """The templates of corefbench.

    >>> names()
    ['answer-pronoun', 'given-mentions', 'mark-all', 'mark-all-brackets']
    """
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def template(name: str) -> Template:
    """The template of a name, or in a file that ends in ``.toml``.

    >>> template("mark-all").task
    'mark-all'
    """
    path = Path(name) if name.endswith(".toml") else _FOLDER / f"{name}.toml"
    if not name.endswith(".toml") and name not in names():
        raise UnknownName("template", name, names())
    try:
        content = path.read_bytes()
        return msgspec.convert(tomllib.loads(content.decode()), Template)
    except OSError as error:
        raise unreadable(name, error) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise DataError(
            "the template cannot be used",
            code="CB265",
            place=Place(source=name),
            found=str(error),
            expected="TOML with name, description, task, system, user, and perhaps notation and "
            "singletons",
        ) from error
