"""Prompt templates: TOML files, built in by name or given by path."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from corefbench.errors import DataError, Place, UnknownName
from corefbench.formats.source import unreadable_error
from corefbench.llm.passage import Notation
from corefbench.records import Record

Task: TypeAlias = Literal["mark-all", "given-mentions", "answer-pronoun"]

_FOLDER = Path(__file__).with_name("templates")
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


class Template(Record, frozen=True, forbid_unknown_fields=True):
    """A prompt template.

    ``{{text}}``, ``{{singletons}}``, ``{{pronoun}}`` and ``{{sentence}}`` are replaced.
    """

    name: str
    description: str
    task: Task
    system: str
    user: str
    notation: Notation = "links"
    singletons: Mapping[str, str] = {}
    """The instructions for singletons that are kept (``keep``) or not (``strip``)."""

    def filled(self, pattern: str, /, **values: str) -> str:
        """Fill the placeholders of a pattern; unknown ones are left as they are."""
        return _PLACEHOLDER.sub(lambda place: values.get(place[1], place[0]), pattern).strip()


def template_names() -> list[str]:
    """Return the names of the built-in templates.

    >>> template_names()
    ['answer-pronoun', 'given-mentions', 'mark-all', 'mark-all-brackets']
    """
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def load_template(name: str) -> Template:
    """Load a built-in template by name, or a file that ends in ``.toml``.

    >>> load_template("mark-all").task
    'mark-all'
    """
    path = Path(name) if name.endswith(".toml") else _FOLDER / f"{name}.toml"
    if not name.endswith(".toml") and name not in template_names():
        raise UnknownName("template", name, template_names())
    try:
        content = path.read_bytes()
        return msgspec.convert(tomllib.loads(content.decode()), Template)
    except OSError as error:
        raise unreadable_error(name, error) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise DataError(
            "the template cannot be used",
            code="CB265",
            place=Place(source=name),
            found=str(error),
            expected="TOML with name, description, task, system, user, and perhaps notation and singletons",
        ) from error
