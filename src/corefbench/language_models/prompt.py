"""A prompt: one request to a model, and a file of them."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

import msgspec

from corefbench.language_models.templates import Task
from corefbench.record import Record

Shape: TypeAlias = Literal["lines", "openai-batch"]


class Window(Record, frozen=True):
    """Which words of the document a prompt is about: the ``number``-th of so many windows."""

    number: int
    of: int
    start: int
    end: int


class Message(Record, frozen=True):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class Prompt(Record, frozen=True):
    """One request to a model."""

    id: str
    document: str
    window: Window
    task: Task
    template: str
    messages: tuple[Message, ...]


def lines(made: Iterable[Prompt], shape: Shape = "lines", model: str = "") -> Iterator[bytes]:
    """The prompts as lines of JSON: our own, or those of a batch file of chat completions."""
    for prompt in made:
        content: Any = prompt
        if shape == "openai-batch":
            body = {"model": model, "messages": prompt.messages}
            content = {
                "custom_id": prompt.id,
                "method": "POST",
                "url": "/v1/chat/completions",
                "body": body,
            }
        yield msgspec.json.encode(content) + b"\n"


def digest(made: Iterable[bytes]) -> str:
    """A short hash of the lines, to name the prompts that answers were given to."""
    whole = hashlib.sha256()
    for line in made:
        whole.update(line)
    return whole.hexdigest()[:12]
