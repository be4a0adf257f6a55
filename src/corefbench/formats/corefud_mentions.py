"""Mentions of CorefUD with their heads and minimal spans, which count a mention's own words."""

from functools import cached_property
from typing import TypeAlias

from corefbench.formats.corefud_brackets import Found
from corefbench.formats.corefud_chunks import Plain
from corefbench.formats.corefud_fields import Attributes, Fields, Minimum, natural
from corefbench.formats.corefud_governors import UNKNOWN, governors, heads
from corefbench.formats.corefud_place import Faults, joined, words_of
from corefbench.model.builder import CorpusBuilder, Span
from corefbench.record import Longs

Numbered: TypeAlias = tuple[str, list[Span], int]
"""A mention that was added: its entity, its parts in rows of the block, its number."""

_Key: TypeAlias = tuple[str, *tuple[Span, ...]]


class MentionAdder:
    """Adds the mentions of a block to its corpus; ``origin`` is the first row of a document."""

    def __init__(self, build: CorpusBuilder, faults: Faults, plain: Plain) -> None:
        self._build = build
        self._faults = faults
        self._plain = plain

    def add_plain(self, sentence: int, fields: Fields, origin: int) -> list[Numbered]:
        """Add the mentions of a plain sentence."""
        plain, added = self._plain, []
        for mention in range(plain.edges[sentence], plain.edges[sentence + 1]):
            label, spans = plain.labels[mention], [plain.spans[mention]]
            said = fields.after_entity(plain.rests[mention])
            head = self._plain_heads[mention] if said.head is None else self._head(spans, said.head)
            added.append((label, spans, self._add(label, spans, head, said, origin)))
        return added

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
    def _governors(self) -> Longs:
        return governors(self._faults.rows)

    @cached_property
    def _plain_heads(self) -> list[int]:
        found: list[int] = heads(self._governors, self._plain.start, self._plain.end).tolist()
        return found

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
        first, last = spans[0]
        if last == first + 1 and len(spans) == 1:
            return -1 if self._governors[first] == UNKNOWN else first
        words = words_of(spans)
        for word in words:
            governor = self._governors[word]
            if governor != UNKNOWN and governor not in words:
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
