"""The brackets of a sentence of CorefUD, matched by entity; no mention leaves its sentence."""

import re
from typing import TypeAlias

from corefbench.formats.corefud_fields import Attributes, Fields
from corefbench.formats.corefud_place import Faults, joined
from corefbench.model.builder import Span

Found: TypeAlias = tuple[str, list[Span], Attributes]
"""A mention: its entity, its parts in rows of the block, and what its bracket says."""

_Opened: TypeAlias = tuple[int, int, str, Attributes]
"""A bracket: the place of its mention in the order of opening, first row, entity, attributes."""

_CHUNK = re.compile(r"\([^()]+\)?|[^()]+\)")
_PART = re.compile(r"(.+)\[(\d+)/(\d+)\]")


class Brackets:
    """Takes in the cells of a sentence, and says which mentions they make."""

    def __init__(self, faults: Faults, fields: Fields) -> None:
        self._faults = faults
        self._fields = fields
        self._open: dict[str, list[_Opened]] = {}
        self._waiting: dict[tuple[str, int], list[tuple[_Opened, list[Span]]]] = {}
        self._found: list[Found | None] = []

    def cell(self, row: int, text: str) -> None:
        """Take in the brackets of one word, in any order."""
        chunks: list[str] = _CHUNK.findall(text)
        if sum(map(len, chunks)) != len(text):
            self._faults.fault("CB106", "Entity is not brackets", row, text, "the rest left out")
        found, parse = self._found, self._fields.parse
        for chunk in chunks:
            if chunk[0] == "(":
                single = chunk[-1] == ")"
                label, attributes = parse(chunk[1:-1] if single else chunk[1:])
                if single and label[-1:] != "]":
                    found.append((label, [(row, row + 1)], attributes))
                    continue
                opened = (len(found), row, label, attributes)
                found.append(None)
                if single:
                    self._close(opened, row + 1)
                elif label in self._open:
                    self._open[label].append(opened)
                else:
                    self._open[label] = [opened]
            elif stack := self._open.get(chunk[:-1]):
                self._close(stack.pop(), row + 1)
            else:
                message = "a mention is closed that was never opened in this sentence"
                self._faults.fault("CB104", message, row, chunk, "bracket ignored")

    def _close(self, opened: _Opened, end: int) -> None:
        slot, start, label, attributes = opened
        part = _PART.fullmatch(label) if label[-1:] == "]" else None
        if part is None:
            self._found[slot] = (label, [(start, end)], attributes)
        else:
            self._close_part(opened, (start, end), part[1], int(part[2]), int(part[3]))

    def _close_part(self, opened: _Opened, span: Span, label: str, number: int, total: int) -> None:
        """Part ``number`` of ``total`` goes to the first mention that waits for it."""
        waiting = self._waiting.setdefault((label, total), [])
        if number == 1:
            waiting.append((opened, []))
        for entry in waiting:
            (slot, _, _, attributes), spans = entry
            if len(spans) == number - 1:
                spans.append(span)
                if number == total:
                    waiting.remove(entry)
                    self._found[slot] = (label, joined(spans), attributes)
                return
        text = f"{label}[{number}/{total}]"
        self._faults.fault("CB116", "an earlier part is missing", span[0], text, "part left out")

    def mentions(self) -> list[Found]:
        """The mentions of the sentence, in the order in which they open."""
        if self._waiting or any(self._open.values()):
            self._check_complete()
        return [mention for mention in self._found if mention is not None]

    def _check_complete(self) -> None:
        for stack in self._open.values():
            for _, start, label, _ in stack:
                message = "a mention is opened and not closed in its sentence"
                self._faults.fault("CB105", message, start, "(" + label, "mention left out")
        for (label, total), waiting in self._waiting.items():
            for (_, start, *_), spans in waiting:
                message = f"{len(spans)} of {total} parts were found"
                self._faults.fault("CB116", message, start, label, "mention left out")
