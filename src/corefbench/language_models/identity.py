"""Ids of prompts: the same for the same words of the same document, and enough to find them again.

An id is ``NAME-m0-350-1f3a9c02``: the document's name, as far as every service takes it; the task
and the window, in words; for a question on a pronoun its word; and a hash of the document's label
and of the window's words. It has letters, digits, ``-`` and ``_`` only, and at most 64 of them.
"""

import hashlib
import re
from collections.abc import Sequence

from corefbench.language_models.passage import Passage
from corefbench.language_models.templates import Task
from corefbench.record import Record

_LETTERS: dict[Task, str] = {"mark-all": "m", "given-mentions": "g", "answer-pronoun": "p"}
_TASKS = {letter: task for task, letter in _LETTERS.items()}
_ID = re.compile(r"([\w-]*)-([mgp])(\d{1,7})-(\d{1,7})(?:-(\d{1,7}))?-([0-9a-f]{8})", re.ASCII)
_LONGEST = 28


class Identity(Record, frozen=True):
    """What an id says."""

    name: str
    task: Task
    start: int
    end: int
    digest: str
    pronoun: int | None = None

    def __str__(self) -> str:
        place = f"{_LETTERS[self.task]}{self.start}-{self.end}"
        asked = "" if self.pronoun is None else f"-{self.pronoun}"
        return f"{self.name}-{place}{asked}-{self.digest}"

    def is_of(self, passage: Passage) -> bool:
        """Whether it names a window of this passage, as the passage now is."""
        words = passage.words
        fits = self.start < self.end <= len(words)
        inside = self.pronoun is None or self.start <= self.pronoun < self.end
        return (
            fits and inside and self.digest == _digest(passage.label, words[self.start : self.end])
        )


def identify(
    passage: Passage, task: Task, start: int, end: int, pronoun: int | None = None
) -> Identity:
    """The identity of a window."""
    return Identity(
        name=slug(passage.label),
        task=task,
        start=start,
        end=end,
        digest=_digest(passage.label, passage.words[start:end]),
        pronoun=pronoun,
    )


def parse(text: str) -> Identity | None:
    """What an id says; None where it is none of ours.

    >>> parse("news-ferry-p0-120-17-0a1b2c3d").pronoun, parse("request-1")
    (17, None)
    """
    found = _ID.fullmatch(text)
    if found is None:
        return None
    name, letter, start, end, pronoun, digest = found.groups()
    return Identity(
        name=name,
        task=_TASKS[letter],
        start=int(start),
        end=int(end),
        digest=digest,
        pronoun=None if pronoun is None else int(pronoun),
    )


def slug(label: str) -> str:
    """The end of a name, in letters that every service takes.

    >>> slug("bn/abc/00/abc_0010_0")
    'bn-abc-00-abc_0010_0'
    """
    return re.sub(r"[^\w-]+", "-", label, flags=re.ASCII)[-_LONGEST:]


def _digest(label: str, words: Sequence[str]) -> str:
    return hashlib.sha256("\0".join((label, *words)).encode()).hexdigest()[:8]
