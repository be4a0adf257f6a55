"""Prompt ids, which identify the words that a prompt is about.

An id is ``NAME-m0-350-1f3a9c02``: the document's name, as far as every service takes it; the task
and the window, in words; for a question on a pronoun its word; and a hash of the document's label
and of the window's words. It has letters, digits, ``-`` and ``_`` only, and at most 64 of them.
"""

import hashlib
import re
from collections.abc import Sequence

from corefbench.llm.passage import Passage
from corefbench.llm.templates import Task
from corefbench.records import Record

_LETTERS: dict[Task, str] = {"mark-all": "m", "given-mentions": "g", "answer-pronoun": "p"}
_TASKS = {letter: task for task, letter in _LETTERS.items()}
_ID = re.compile(r"([\w-]*)-([mgp])(\d{1,7})-(\d{1,7})(?:-(\d{1,7}))?-([0-9a-f]{8})", re.ASCII)
_MAX_SLUG = 28


class PromptId(Record, frozen=True):
    """The parts of a prompt id."""

    name: str
    task: Task
    start: int
    end: int
    digest: str
    pronoun: int | None = None

    def __str__(self) -> str:
        window = f"{_LETTERS[self.task]}{self.start}-{self.end}"
        pronoun = "" if self.pronoun is None else f"-{self.pronoun}"
        return f"{self.name}-{window}{pronoun}-{self.digest}"

    def is_of(self, passage: Passage) -> bool:
        """Whether it identifies a window of this passage, with unchanged words."""
        words = passage.words
        fits = self.start < self.end <= len(words)
        inside = self.pronoun is None or self.start <= self.pronoun < self.end
        return fits and inside and self.digest == _digest(passage.label, words[self.start : self.end])


def make_prompt_id(passage: Passage, task: Task, start: int, end: int, pronoun: int | None = None) -> PromptId:
    """Return the id of the prompt for a window."""
    return PromptId(
        name=make_slug(passage.label),
        task=task,
        start=start,
        end=end,
        digest=_digest(passage.label, passage.words[start:end]),
        pronoun=pronoun,
    )


def parse_prompt_id(text: str) -> PromptId | None:
    """Parse a prompt id; return None for other ids.

    >>> parse_prompt_id("news-ferry-p0-120-17-0a1b2c3d").pronoun, parse_prompt_id("request-1")
    (17, None)
    """
    match = _ID.fullmatch(text)
    if match is None:
        return None
    name, letter, start, end, pronoun, digest = match.groups()
    return PromptId(
        name=name,
        task=_TASKS[letter],
        start=int(start),
        end=int(end),
        digest=digest,
        pronoun=None if pronoun is None else int(pronoun),
    )


def make_slug(label: str) -> str:
    """Return the end of a name, in characters that every service accepts.

    >>> make_slug("bn/abc/00/abc_0010_0")
    'bn-abc-00-abc_0010_0'
    """
    return re.sub(r"[^\w-]+", "-", label, flags=re.ASCII)[-_MAX_SLUG:]


def _digest(label: str, words: Sequence[str]) -> str:
    return hashlib.sha256("\0".join((label, *words)).encode()).hexdigest()[:8]
