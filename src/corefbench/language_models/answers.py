"""Answers as they were recorded: a line of JSON each, in one of several shapes.

``{"id", "answer"}`` is ours; the lines that batch services give back are read as well, with
``custom_id`` and either ``response.body.choices`` or ``result.message.content``.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from corefbench.errors import FormatError, Place
from corefbench.findings import Strictness
from corefbench.formats.base import Reading
from corefbench.formats.json_decode import decoded
from corefbench.formats.source import Source
from corefbench.formats.whole import contents
from corefbench.record import Record

_EXPECTED = 'an object with "id" and "answer", or a line of a batch service with "custom_id"'
_CUT = frozenset(("length", "max_tokens"))


class Answer(Record, frozen=True):
    """What a model said to one prompt; None where the service failed."""

    id: str
    text: str | None
    cut: bool = False
    """Whether the service says that the answer is not complete."""


def read_answers_file(where: str | Path | bytes, strictness: Strictness) -> Iterator[Answer]:
    """The answers of a file; a line that is none stops the reading, or is reported and left out."""
    decoder = msgspec.json.Decoder(dict[str, Any])
    for row, place in _rows(where, strictness):
        try:
            values = decoded(decoder, row, place, what="of an answer", expected=_EXPECTED)
            yield _answer(values)
        except _NotAnAnswer as fault:
            strictness.fault(
                "CB266",
                "the line is no answer of a language model",
                place=place,
                found=str(fault),
                expected=_EXPECTED,
                repair="left out",
            )
        except FormatError as error:
            strictness.fault(
                "CB266",
                error.message,
                place=place,
                found=error.found,
                expected=_EXPECTED,
                repair="left out",
            )


def read_ids(where: str | Path | bytes, strictness: Strictness) -> list[str]:
    """The ids of a file of prompts, in their order."""
    decoder = msgspec.json.Decoder(dict[str, Any])
    found = []
    for row, place in _rows(where, strictness):
        values = decoded(decoder, row, place, what="of a prompt", expected='an object with "id"')
        found.append(str(values.get("id") or values.get("custom_id") or ""))
    return [one for one in found if one]


def _rows(where: str | Path | bytes, strictness: Strictness) -> Iterator[tuple[bytes, Place]]:
    source = Source.of(where)
    whole = contents(source, Reading(strictness=strictness))
    for number, row in enumerate(whole.splitlines(), 1):
        if row.strip():
            yield row, Place(source=source.name, line=number)


class _NotAnAnswer(Exception):
    """A line of JSON of another shape."""


def _answer(values: Mapping[str, Any]) -> Answer:
    name = values.get("id") if "answer" in values else values.get("custom_id", values.get("id"))
    if not isinstance(name, str):
        raise _NotAnAnswer("no id")
    if "answer" in values:
        text = values["answer"]
        if text is not None and not isinstance(text, str):
            raise _NotAnAnswer("an answer that is no text")
        return Answer(id=name, text=text, cut=values.get("finish_reason") in _CUT)
    if "response" not in values and "result" not in values:
        raise _NotAnAnswer(f"the fields {', '.join(values)}")
    choice = _first(_inside(values, "response", "body", "choices"))
    if choice is not None:
        text = _text(_inside(choice, "message", "content"))
        return Answer(id=name, text=text, cut=_inside(choice, "finish_reason") in _CUT)
    message = _inside(values, "result", "message")
    return Answer(
        id=name,
        text=_text(_inside(message, "content")),
        cut=_inside(message, "stop_reason") in _CUT,
    )


def _inside(values: Any, *names: str) -> Any:
    for name in names:
        values = values.get(name) if isinstance(values, dict) else None
    return values


def _first(values: Any) -> Any:
    return values[0] if isinstance(values, list) and values else None


def _text(content: Any) -> str | None:
    """A text, or a list of parts of which some are text; None where there is neither."""
    if isinstance(content, list):
        parts = [_inside(part, "text") for part in content]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else None
