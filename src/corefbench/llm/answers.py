"""Recorded answers of language models, and a report of what could be used.

``{"id", "answer"}`` is ours; the lines that batch services give back are read as well, with
``custom_id`` and either ``response.body.choices`` or ``result.message.content``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from corefbench.diagnostics import Strictness
from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.common.decode import decode_json, read_bytes
from corefbench.formats.source import Source
from corefbench.records import Record

_EXPECTED = 'an object with "id" and "answer", or a line of a batch service with "custom_id"'
_CUT_REASONS = frozenset(("length", "max_tokens"))
AnswerState: TypeAlias = Literal["used", "missing", "failed", "empty", "not a copy", "not found", "none"]
"""``missing``: the prompt has no answer; ``failed``: the service gave an error; ``not a copy``:
most words are not in the text; of questions on pronouns, ``not found``: the answer is not in the
text, ``none``: the model says that there is no antecedent."""


class Answer(Record, frozen=True):
    """The answer of a model to one prompt; the text is None if the service failed."""

    id: str
    text: str | None
    cut: bool = False
    """Whether the service reports that the answer is incomplete."""


def read_answers_file(source: str | Path | bytes, strictness: Strictness) -> Iterator[Answer]:
    """Yield the answers of a file; other lines are an error or, if lenient, skipped."""
    decoder = msgspec.json.Decoder(dict[str, Any])
    for row, place in _read_rows(source, strictness):
        try:
            values = decode_json(decoder, row, place, description="of an answer", expected=_EXPECTED)
            yield _parse_answer(values)
        except FormatError as error:
            strictness.fault(
                "CB266", error.message, place=place, found=error.found, expected=_EXPECTED, repair="left out"
            )


def read_ids(source: str | Path | bytes, strictness: Strictness) -> list[str]:
    """Return the ids of a prompt file, in order."""
    decoder = msgspec.json.Decoder(dict[str, Any])
    ids = []
    for row, place in _read_rows(source, strictness):
        values = decode_json(decoder, row, place, description="of a prompt", expected='an object with "id"')
        ids.append(str(values.get("id") or values.get("custom_id") or ""))
    return [prompt_id for prompt_id in ids if prompt_id]


def _read_rows(path: str | Path | bytes, strictness: Strictness) -> Iterator[tuple[bytes, Place]]:
    source = Source.of(path)
    content = read_bytes(source, Reading(strictness=strictness))
    for number, row in enumerate(content.splitlines(), 1):
        if row.strip():
            yield row, Place(source=source.name, line=number)


def _not_an_answer(found: str) -> FormatError:
    return FormatError("the line is not an answer of a language model", found=found)


def _parse_answer(values: Mapping[str, Any]) -> Answer:
    name = values.get("id") if "answer" in values else values.get("custom_id", values.get("id"))
    if not isinstance(name, str):
        raise _not_an_answer("no id")
    if "answer" in values:
        text = values["answer"]
        if text is not None and not isinstance(text, str):
            raise _not_an_answer("an answer that is no text")
        return Answer(id=name, text=text, cut=values.get("finish_reason") in _CUT_REASONS)
    if "response" not in values and "result" not in values:
        raise _not_an_answer(f"the fields {', '.join(values)}")
    choices = _get_nested(values, "response", "body", "choices")
    if isinstance(choices, list) and choices:
        content, reason = _get_nested(choices[0], "message", "content"), _get_nested(choices[0], "finish_reason")
    else:
        message = _get_nested(values, "result", "message")
        content, reason = _get_nested(message, "content"), _get_nested(message, "stop_reason")
    return Answer(id=name, text=_message_text(content), cut=reason in _CUT_REASONS)


def _get_nested(values: Any, *names: str) -> Any:
    for name in names:
        values = values.get(name) if isinstance(values, dict) else None
    return values


def _message_text(content: Any) -> str | None:
    """Return a text, or the joined text parts of a list; None if there is neither."""
    if isinstance(content, list):
        parts = [_get_nested(part, "text") for part in content]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else None


class Reply(Record, frozen=True):
    """What could be used of one answer."""

    id: str
    document: str
    state: AnswerState
    words: int = 0
    """Words of the source: the window of the prompt."""
    unaligned: int = 0
    """Words of the source that the answer does not have."""
    added: int = 0
    changed: int = 0
    cut: bool = False
    """Whether the end of the text is missing."""
    removed: tuple[str, ...] = ()
    """What was removed around the text: thoughts, fence, preamble, afterword, excess."""
    variants: int = 0
    """Marks in another notation that were understood."""
    marked: int = 0
    """Mentions that the answer marks, and …"""
    mentions: int = 0
    """… those that are used."""
    dropped: Mapping[str, int] = {}
    """Brackets that are not mentions, by reason."""
    chains: int = 0
    lost_chains: int = 0
    right: bool | None = None
    """For a question about a pronoun: whether the antecedent is correct."""


class AnswerReport(Record, frozen=True):
    """What could be used of all answers."""

    replies: tuple[Reply, ...]
    documents: int
    silent: tuple[str, ...]
    """Documents without any mention; they are scored as empty."""
    words: int
    """Words of the corpus, and …"""
    uncovered: int
    """… those that are in no answer that was used."""
    unknown: tuple[str, ...] = ()
    """Ids of answers that belong to no window of the corpus."""
    repeated: int = 0
    """Answers that a later answer to the same prompt replaced."""
    unread: int = 0
    """Lines of the file that are not answers."""
    joined: int = 0
    refused: int = 0
    """Pairs of chains in the overlap of windows that were joined, and that were not."""
    prompts: str = ""
    """A hash of the prompts, if they were given."""

    @property
    def used(self) -> tuple[Reply, ...]:
        """The replies that were used."""
        return tuple(reply for reply in self.replies if reply.state == "used")

    @property
    def states(self) -> dict[str, int]:
        """The number of answers by state."""
        return dict(Counter(reply.state for reply in self.replies).most_common())

    @property
    def dropped(self) -> dict[str, int]:
        """Brackets that are no mention, by reason."""
        total: Counter[str] = Counter()
        for reply in self.used:
            total.update(reply.dropped)
        return dict(total.most_common())

    def total(self, name: str) -> int:
        """Sum a field over the answers that are used.

        >>> replies = (Reply(id="a", document="d", state="used", words=9),) * 2
        >>> report = AnswerReport(replies=replies, documents=1, silent=(), words=9, uncovered=0)
        >>> report.total("words")
        18
        """
        return sum(getattr(reply, name) for reply in self.used)

    @property
    def unaligned_share(self) -> float:
        """The share of source words that are missing from the used answers."""
        words = self.total("words")
        return self.total("unaligned") / words if words else 0.0
