"""What models put around an answer, and variants of its marks: taken off before it is read."""

import re
from itertools import pairwise

from corefbench.record import Record

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)(?:^[ \t]*```[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"\](?:\(#[^)\n]*\)|\{[^}\n]*\}|\d+)|[\[\]]")
_WORD = re.compile(r"\w+")
_FOREIGN = 0.3
"""A line at the beginning or the end is not of the text if fewer of its word pairs are in it."""

LONGEST = 10
"""Of an answer that is so many times as long as the text the rest is left out, …"""
SPARE = 10_000
"""… after so many more characters."""

_VARIANTS = (
    (
        re.compile(r"\][ ]?\([ ]{0,3}#[ ]{0,3}(\w[\w -]{0,40}?)[ ]{0,3}\)"),
        r"](#\1)",
    ),  # ] (# 1 ), ](#chain-1)
    (re.compile(r"\]\((?:chain|cluster|entity)?[ _:-]*(\d+)\)", re.IGNORECASE), r"](#\1)"),
    (re.compile(r"\](?:[_^#]\{?|<su[bp]>)(\d+)(?:\}|</su[bp]>)?"), r"](#\1)"),  # ]_1 ]^{1} ]#1
    (re.compile(r"\](?:\(#?\?\)|\{\?\})"), "]"),  # left as it was asked
)


class Cleaned(Record, frozen=True):
    """The text of an answer, and what was taken off."""

    text: str
    removed: tuple[str, ...] = ()
    """``thoughts``, ``excess``, ``fence``, ``preamble``, ``afterword``."""
    variants: int = 0
    """Marks that were not written as they were asked for, but can be understood."""


def cleaned(answer: str, source: str) -> Cleaned:
    """The part of an answer that is a copy of the source, its marks written in our way.

    >>> cleaned("Sure! Here it is:\\n```\\n[Ann]_1 fed [her]_1 cat.\\n```", "Ann fed her cat.")
    Cleaned(text='[Ann](#1) fed [her](#1) cat.', removed=('fence',), variants=2)
    """
    removed = []
    text = _THOUGHT.sub("", answer)
    if text != answer:
        removed.append("thoughts")
    if len(text) > LONGEST * len(source) + SPARE:
        text = text[: LONGEST * len(source) + SPARE]
        removed.append("excess")
    fenced = [block for block in _FENCE.findall(text) if block.strip()]
    if fenced:
        text = max(fenced, key=len)
        removed.append("fence")
    rows = text.strip().split("\n")
    start, end = _own(rows, source)
    removed += ["preamble"] * (start > 0) + ["afterword"] * (end < len(rows))
    text, variants = _in_our_way("\n".join(rows[start:end]).strip())
    return Cleaned(text=text, removed=tuple(removed), variants=variants)


def likeness(text: str, source: str) -> float:
    """The share of a text's neighbouring words that are neighbours in the source.

    >>> likeness("[Ann](#1) fed the cat", "So Ann fed the dog")
    0.6666666666666666
    """
    return _Known(source).share(text)


class _Known:
    """The words and the neighbours of a text, in lower case."""

    def __init__(self, source: str) -> None:
        words = _WORD.findall(source.casefold())
        self.words = set(words)
        self.pairs = set(pairwise(words))

    def share(self, text: str) -> float:
        """How much of another text is in this one; a single word may be the end of a sentence."""
        found = _WORD.findall(_MARK.sub("", text).casefold())
        if len(found) < 2:
            return float(bool(found) and found[0] in self.words and not text.rstrip().endswith(":"))
        neighbours = list(pairwise(found))
        return sum(pair in self.pairs for pair in neighbours) / len(neighbours)


def _own(rows: list[str], source: str) -> tuple[int, int]:
    """From which row to which an answer is of the source; all, if none is."""
    known = _Known(source)
    own = [number for number, row in enumerate(rows) if known.share(row) >= _FOREIGN]
    return (own[0], own[-1] + 1) if own else (0, len(rows))


def _in_our_way(text: str) -> tuple[str, int]:
    changed = 0
    for pattern, ours in _VARIANTS:

        def rewrite(match: re.Match[str], ours: str = ours) -> str:
            nonlocal changed
            label = match.expand(ours)
            label = re.sub(r"[ -]", "_", label)
            changed += label != match[0] and label != "]"
            return label

        text = pattern.sub(rewrite, text)
    return text, changed
