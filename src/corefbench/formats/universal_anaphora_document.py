"""The markables of a document of CONLL-UA, and what refers to them."""

import re

from corefbench.errors import Place
from corefbench.findings import Strictness
from corefbench.formats.universal_anaphora_columns import (
    NOT_COLUMNS,
    PSEUDO,
    attributes_of,
    minimal_span,
)
from corefbench.model.builder import CorpusBuilder, Span

_CHUNK = re.compile(r"\([^()]*\)?|\)")


class Markables:
    """The open document: a stack of open markables, and references that wait for its end."""

    def __init__(self, build: CorpusBuilder, strictness: Strictness) -> None:
        self.build = build
        self.strictness = strictness
        self.clear()

    def clear(self) -> None:
        self.stack: list[int] = []
        self.opened: list[tuple[int, dict[str, str], Place]] = []
        self.ends: dict[int, int] = {}
        self.bridges: list[tuple[dict[str, str], Place]] = []
        self.numbers: dict[str, int] = {}
        self.chains: set[str] = set()
        self.elements: dict[tuple[str, str], Place] = {}

    def fault(self, code: str, message: str, place: Place, found: str, repair: str) -> None:
        self.strictness.fault(code, message, place=place, found=found, repair=repair)

    def cell(self, token: int, text: str, place: Place) -> None:
        chunks: list[str] = _CHUNK.findall(text)
        if sum(map(len, chunks)) != len(text):
            self.fault("CB106", "the cell is not brackets", place, text, "the rest left out")
        for chunk in chunks:
            if chunk[0] == "(":
                self.stack.append(len(self.opened))
                self.opened.append((token, attributes_of(chunk), place))
            if chunk[-1] == ")":
                if self.stack:
                    self.ends[self.stack.pop()] = token + 1
                else:
                    message = "a markable is closed that was never opened"
                    self.fault("CB104", message, place, text, "bracket ignored")

    def bridging(self, _token: int, text: str, place: Place) -> None:
        for chunk in _CHUNK.findall(text):
            if chunk[0] == "(":
                self.bridges.append((attributes_of(chunk), place))

    def finish(self) -> None:
        """Add the markables in opening order, then what refers to them."""
        seen = set()
        for slot, (start, attributes, place) in enumerate(self.opened):
            label, end = attributes.get("EntityID", ""), self.ends.get(slot)
            if end is None:
                message = "a markable is opened and never closed"
                self.fault("CB105", message, place, _named(attributes), "markable left out")
            elif not label:
                message = "a markable has no EntityID"
                self.fault("CB106", message, place, str(attributes), "markable left out")
            elif (start, end, label) in seen and self.strictness.lenient:
                found = _named(attributes)
                self.fault("CB113", "a mention occurs twice", place, found, "one of them left out")
            else:
                seen.add((start, end, label))
                self.add((start, end), label, attributes, place)
        self.add_relations()
        self.clear()

    def add(self, span: Span, label: str, attributes: dict[str, str], place: Place) -> None:
        number = self.build.mention(
            label,
            [span],
            minimum=self.minimum(span, attributes.get("Min", ""), place),
            referring=not label.endswith(PSEUDO),
            columns={k: v for k, v in attributes.items() if k not in NOT_COLUMNS},
        )
        self.chains.add(label)
        self.numbers[attributes.get("MarkableID", "")] = number
        if "ElementOf" in attributes:
            for plural in filter(None, attributes["ElementOf"].split(",")):
                self.elements.setdefault((plural, label), place)

    def minimum(self, span: Span, text: str, place: Place) -> list[Span]:
        """The minimal span, if one is told."""
        if not text:
            return []
        minimum = minimal_span(span, text)
        if minimum is not None:
            return [minimum]
        message = "Min lies outside its markable"
        self.fault("CB114", message, place, f"Min={text}", "Min left out")
        return []

    def add_relations(self) -> None:
        known = []
        for (plural, element), place in self.elements.items():
            if plural in self.chains:
                known.append((self.build.chain(plural), self.build.chain(element)))
            else:
                message = "ElementOf names an entity that is not there"
                self.fault("CB115", message, place, plural, "relation left out")
        for pair in sorted(known, key=lambda pair: pair[1]):
            self.build.split_antecedent(*pair)
        for attributes, place in self.bridges:
            self.bridge(attributes, place)

    def bridge(self, attributes: dict[str, str], place: Place) -> None:
        anaphor = self.numbers.get(attributes.get("MarkableID", ""))
        anchor = self.numbers.get(attributes.get("MentionAnchor", ""), -1)
        entity = attributes.get("EntityAnchor", "")
        if anaphor is None or (anchor < 0 and entity not in self.chains):
            message = "a bridging link names a markable that is not there"
            self.fault("CB115", message, place, str(attributes), "relation left out")
            return
        chain = self.build.chain(entity) if entity in self.chains else -1
        self.build.bridge(anaphor, mention=anchor, chain=chain, label=attributes.get("Rel", ""))


def _named(attributes: dict[str, str]) -> str:
    return f"{attributes.get('MarkableID', '')} of entity {attributes.get('EntityID', '')}"
