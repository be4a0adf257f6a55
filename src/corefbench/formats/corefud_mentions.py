"""Mentions of CorefUD with their heads and minimal spans, which count a mention's own words."""

from functools import cached_property
from typing import TypeAlias

import numpy as np

from corefbench.formats.corefud_brackets import Found
from corefbench.formats.corefud_chunks import Plain
from corefbench.formats.corefud_fields import Attributes, Fields, Minimum, natural
from corefbench.formats.corefud_governors import UNKNOWN, Heads, governors
from corefbench.formats.corefud_place import Faults, joined, words_of
from corefbench.model.builder import CorpusBuilder, Span
from corefbench.record import Longs

Numbered: TypeAlias = tuple[str, list[Span], int]
"""A mention that was added: its entity, its parts in rows of the block, its number."""

_Key: TypeAlias = tuple[str, *tuple[Span, ...]]


_LONG = 100
"""Words; longer mentions may nest as deep, so that not every word of each can be looked at."""


class MentionAdder:
    """Adds the mentions of a block to its corpus; ``origin`` is the first row of a document."""

    def __init__(self, build: CorpusBuilder, faults: Faults, plain: Plain) -> None:
        self._build = build
        self._faults = faults
        self._plain = plain

    def add_plain(self, run: range, fields: Fields, origin: int) -> int:
        """Add a run of mentions of plain sentences, all of one document; returns the number of
        the first."""
        plain, build, some = self._plain, self._build, slice(run.start, run.stop)
        said = list(map(fields.after_entity, plain.rests[some])) if fields.others else []
        if {"head", "minspan"} & set(fields.others):
            heads, minima = self._counted(run, said, origin)
        else:
            heads, minima = self._plain_heads[some], {}
        return build.add_mentions(
            plain.start[some] - origin,
            plain.end[some] - origin,
            np.array(build.chain_numbers(plain.labels[some]), np.int32),
            head=np.where(heads >= 0, heads - origin, -1),
            minimum=minima,
            columns={row: one.columns for row, one in enumerate(said) if one.columns},
        )

    def _counted(
        self, run: range, said: list[Attributes], origin: int
    ) -> tuple[Longs, dict[int, list[Span]]]:
        """The heads of a run of mentions, and the minimal spans of those that have one."""
        heads: list[int] = []
        minima: dict[int, list[Span]] = {}
        for row, (mention, one) in enumerate(zip(run, said, strict=True)):
            spans, head = [self._plain.spans[mention]], one.head
            heads.append(
                int(self._plain_heads[mention]) if head is None else self._head(spans, head)
            )
            if one.minimum.spans and (found := self._minimum(spans, one.minimum, origin)):
                minima[row] = found
        return np.array(heads, np.int64), minima

    def numbered(self, run: range, first: int) -> list[Numbered]:
        """A run of mentions that was added, the first of them under that number."""
        plain = self._plain
        return [(plain.labels[m], [plain.spans[m]], n) for n, m in enumerate(run, first)]

    def add(self, found: list[Found], origin: int) -> list[Numbered]:
        """Add the mentions of another sentence."""
        added: dict[_Key, Numbered] = {}
        for label, spans, said in found:
            key: _Key = (label, *spans)
            if key in added and self._faults.strictness.lenient:
                message, first = "a mention occurs twice", spans[0][0]
                self._faults.fault("CB113", message, first, label, "one of them left out")
                continue
            head = self._head(spans, said.head)
            added[key] = (label, spans, self._add(label, spans, head, said, origin))
        return list(added.values())

    def _add(self, label: str, spans: list[Span], head: int, said: Attributes, origin: int) -> int:
        minimum = said.minimum
        return self._build.mention(
            label,
            [(a - origin, b - origin) for a, b in spans],
            head=head - origin if head >= 0 else -1,
            minimum=self._minimum(spans, minimum, origin) if minimum.spans else (),
            columns=said.columns,
        )

    @cached_property
    def _heads(self) -> Heads:
        return Heads(governors(self._faults.rows))

    @cached_property
    def _plain_heads(self) -> Longs:
        return self._heads.of(self._plain.start, self._plain.end)

    def _head(self, spans: list[Span], text: str | None) -> int:
        """The word that the head field counts to, -1 where it is empty; where there is no such
        field or it is wrong, the first word whose governor lies outside the mention, or -1."""
        if text == "":
            return -1
        if text is not None:
            words = words_of(spans)
            if 1 <= natural(text) <= len(words):
                return words[int(text) - 1]
            message = "the head lies outside its mention"
            self._faults.fault("CB114", message, words[0], text, "taken from the tree")
        return self._head_by_tree(spans)

    def _head_by_tree(self, spans: list[Span]) -> int:
        """The first word whose governor lies outside the mention, or -1."""
        governors, (first, last) = self._heads.governors, spans[0]
        if last == first + 1 and len(spans) == 1:
            return -1 if governors[first] == UNKNOWN else first
        if last - first > _LONG and len(spans) == 1:
            return int(self._heads.of(np.array([first]), np.array([last]))[0])
        words = words_of(spans)
        own = set(words) if len(spans) > 1 else words
        for word in words:
            if governors[word] != UNKNOWN and governors[word] not in own:
                return word
        return -1

    def _minimum(self, spans: list[Span], minimum: Minimum, origin: int) -> list[Span]:
        counted, (start, end) = minimum.spans, spans[0]
        if len(spans) == 1 and counted[0][0] >= 0 and counted[-1][1] <= end - start:
            first = start - origin
            return [(first + a, first + b) for a, b in counted]
        words = words_of(spans)
        if counted[0][0] < 0 or counted[-1][1] > len(words):
            message = "the minimal span lies outside its mention"
            self._faults.fault("CB114", message, start, minimum.text, "minimal span left out")
            return []
        places = [words[number] - origin for number in words_of(counted)]
        return joined([(place, place + 1) for place in places])
