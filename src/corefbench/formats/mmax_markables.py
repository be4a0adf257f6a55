"""The markables of a level of MMAX2, with their spans found among the words."""

from collections.abc import Iterator, Mapping

from corefbench.errors import FormatError, Place
from corefbench.formats import xml
from corefbench.formats.base import Reading
from corefbench.formats.layout import merged
from corefbench.formats.mmax_project import Level
from corefbench.formats.source import Source
from corefbench.model.builder import Span
from corefbench.record import Record


class Markable(Record, frozen=True):
    """A markable whose span was found among the words."""

    id: str
    parts: list[Span]
    values: Mapping[str, str]
    place: Place


def read_markables(
    level: Level, positions: Mapping[str, int], document: str, reading: Reading
) -> Iterator[Markable]:
    """The markables of a level that stand on words."""
    source = Source.of(level.path)
    root = xml.read(source, reading, allow_doctype=True)
    if local_name(root) != "markables":
        raise FormatError(
            "the file is not a file of markables",
            code="CB132",
            place=xml.place(root, source.name, document),
            found=f"<{local_name(root)}>",
            expected="<markables><markable id=… span=…>",
        )
    seen: set[str] = set()
    for element in root:
        values = {key.rpartition("}")[2]: value for key, value in element.items()}
        place = xml.place(element, source.name, document)
        name, span = values.get("id", ""), values.get("span", "")
        if not name or not span:
            reading.strictness.fault(
                "CB125", "a markable has no id or no span", place=place, repair="left out"
            )
        elif name in seen:
            reading.strictness.fault(
                "CB126", "a markable's id occurs twice", place=place, found=name, repair="left out"
            )
        elif parts := parts_of(span, positions):
            seen.add(name)
            yield Markable(id=name, parts=parts, values=values, place=place)
        else:
            reading.strictness.fault(
                "CB112",
                "a span names no words, or its end before its start",
                place=place,
                found=span,
                expected="word_3..word_5,word_9, of the words file and in its order",
                repair="left out",
            )


def parts_of(span: str, positions: Mapping[str, int]) -> list[Span]:
    """The parts of a span, none where one of its words does not exist.

    >>> parts_of("b..c,e", {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4})
    [(1, 3), (4, 5)]
    """
    parts: list[Span] = []
    for fragment in span.split(","):
        first, _, last = fragment.strip().partition("..")
        start = positions.get(first)
        end = positions.get(last or first)
        if start is None or end is None or end < start:
            return []
        parts.append((start, end + 1))
    return merged(parts)


def local_name(element: xml.Element) -> str:
    """The name of an element without its namespace: each level has one of its own."""
    tag = element.tag
    return tag[tag.rfind("}") + 1 :] if type(tag) is str else str(tag)
