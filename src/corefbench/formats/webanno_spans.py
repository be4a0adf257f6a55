"""The spans, chains and other relations that the cells of a WebAnno document name."""

import re
from collections.abc import Iterator
from functools import lru_cache

from corefbench.errors import Place
from corefbench.findings import Strictness
from corefbench.formats.components import components
from corefbench.formats.layout import merged
from corefbench.formats.tokenise import Span as Tokens
from corefbench.formats.webanno_lines import Layer, Lines, Relations, unescaped
from corefbench.record import Record

SPLIT = "bridge:aggr"
"""The type of what leads from a plural to one of its antecedents."""

_CHUNK = re.compile(r"((?:[^\\|\[]++|\\.)*+)(?:\[(\d{1,9})\])?(?:\||$)")
_SOURCE = re.compile(r"(\d+-\d+)(?:\[(\d{1,9})_(\d{1,9})\])?")


class Span(Record, frozen=True):
    """A span: its tokens, and the features that have a value."""

    parts: list[Tokens]
    columns: dict[str, str]

    @property
    def order(self) -> Tokens:
        """The order in which mentions open."""
        return self.parts[0][0], -self.parts[-1][1]


class Annotation(Record, frozen=True):
    """The spans of a document, the chain of each, and relations that make no chains."""

    spans: list[Span]
    chains: list[int]
    others: list[tuple[str, int, int]]
    """Type, the span that refers, the span it refers to."""


def bridging_label(kind: str) -> str:
    """The kind of bridging that a type of relation names.

    >>> bridging_label("bridge:part"), bridging_label("bridge")
    ('part', '')
    """
    return kind.removeprefix("bridge").removeprefix(":")


def annotation(lines: Lines, apart: tuple[str, ...], strictness: Strictness) -> Annotation:
    """Collect spans over their tokens, then the relations between them."""
    spans = _Spans()
    token = 0
    for sentence in lines.sentences:
        for name, cells, line in zip(sentence.names, sentence.cells, sentence.lines, strict=True):
            for layer in lines.layers:
                spans.cells(layer, name, token, cells, (lines.source, line), strictness)
            token += 1
    links: list[tuple[int, int]] = []
    others: list[tuple[str, int, int]] = []
    for sentence in lines.sentences:
        for name, cells, line in zip(sentence.names, sentence.cells, sentence.lines, strict=True):
            for relations in lines.relations:
                if cells[relations.source] == "_":
                    continue
                for kind, one, other in _ends(relations, name, cells):
                    ends = [spans.number.get(end) for end in (one, other)]
                    if ends[0] is None or ends[1] is None:
                        strictness.fault(
                            "CB115",
                            "a relation names a span that is not there",
                            place=Place(source=lines.source, line=line),
                            found=cells[relations.source][:60],
                            repair="relation left out",
                        )
                    elif kind.startswith(apart):
                        others.append((kind, ends[0], ends[1]))
                    else:
                        links.append((ends[0], ends[1]))
    return Annotation(
        spans=spans.finished(), chains=components(len(spans.tokens), links), others=others
    )


class _Spans:
    """Spans by what relations call them: layer and number, or layer and first token."""

    def __init__(self) -> None:
        self.number: dict[tuple[str, str], int] = {}
        self.tokens: list[list[int]] = []
        self.columns: list[dict[str, str]] = []

    def cells(
        self,
        layer: Layer,
        name: str,
        token: int,
        cells: list[str],
        where: tuple[str, int],
        strictness: Strictness,
    ) -> None:
        """Take in the cells of a token; ``where`` is the source and the line."""
        for index, feature in enumerate(layer.features or [""]):
            cell = cells[layer.column + index]
            if cell == "_":
                continue
            for value, number in _chunks(cell):
                if value is None:
                    place = Place(source=where[0], line=where[1])
                    message, repair = "the cell is not values with numbers", "the rest left out"
                    strictness.fault("CB106", message, place=place, found=cell[:60], repair=repair)
                    break
                key = (layer.name, number or name)
                span = self.number.get(key)
                if span is None:
                    span = self.span(key)
                tokens = self.tokens[span]
                if not tokens or tokens[-1] != token:
                    tokens.append(token)
                if feature and value not in ("*", "_", ""):
                    self.columns[span][feature] = unescaped(value) if "\\" in value else value

    def span(self, key: tuple[str, str]) -> int:
        """The number of a new span."""
        self.number[key] = len(self.tokens)
        self.tokens.append([])
        self.columns.append({})
        return self.number[key]

    def finished(self) -> list[Span]:
        """The spans; a gap in one would be an error of WebAnno, and makes it discontinuous."""
        return [
            Span(parts=_parts(tokens), columns=columns)
            for tokens, columns in zip(self.tokens, self.columns, strict=True)
        ]


def _parts(tokens: list[int]) -> list[Tokens]:
    if tokens[-1] - tokens[0] == len(tokens) - 1:  # they rise, so there is no gap
        return [(tokens[0], tokens[-1] + 1)]
    return merged((token, token + 1) for token in tokens)


@lru_cache(maxsize=4096)  # the tokens of a span repeat its cells
def _chunks(cell: str) -> tuple[tuple[str | None, str], ...]:
    """Values and numbers between bars; None where the cell is not so made."""
    found: list[tuple[str | None, str]] = []
    position = 0
    while position < len(cell):
        match = _CHUNK.match(cell, position)
        if match is None:
            return (*found, (None, ""))
        found.append((match[1], match[2] or ""))
        position = match.end()
    return tuple(found)


def _ends(
    relations: Relations, name: str, cells: list[str]
) -> Iterator[tuple[str, tuple[str, str], tuple[str, str]]]:
    """Type, source and target of the relations in the cells of a token."""
    cell = cells[relations.source]
    if cell == "_":
        return
    types = cells[relations.type].split("|") if relations.type >= 0 else []
    for index, chunk in enumerate(cell.split("|")):
        match = _SOURCE.fullmatch(chunk)
        kind = unescaped(types[index]) if index < len(types) else ""
        layer = relations.layer
        if match is None:
            yield kind, (layer, "?"), (layer, "?")
            continue
        source, target = match[2] or "0", match[3] or "0"
        one = match[1] if source == "0" else source
        yield kind, (layer, one), (layer, name if target == "0" else target)
