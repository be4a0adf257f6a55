"""Putting brackets into the text of a document."""

import re
from collections import defaultdict

from corefbench.formats.layout import lay_out
from corefbench.formats.nesting import nesting
from corefbench.model.document import Document

_BARE = re.compile(r"\w+")


def document_text(document: Document) -> str:
    """The header, the marked text, and a blank line after each."""
    part = int(document.corpus.documents.parts[document.index])
    name = " ".join(document.name.split())
    header = f"# document {name}" + (f"; part {part}" if part >= 0 else "")
    return f"{header}\n\n{_marked(document)}\n\n"


def _marked(document: Document) -> str:
    mentions = document.mentions
    spans = [(mention.start, mention.end) for mention in mentions]
    kept = nesting(spans)
    text, offsets = lay_out(document, spans=[spans[number] for number in kept])
    opening: dict[int, int] = defaultdict(int)
    closing: dict[int, list[str]] = defaultdict(list)
    for number in kept:
        start, end = spans[number]
        opening[offsets[start][0]] += 1
        closing[offsets[end - 1][1]].insert(0, mentions[number].chain.label)
    pieces: list[str] = []
    position = 0
    for place in sorted({*opening, *closing}):
        pieces.append(_escaped(text, position, place))
        following = text[place : place + 1] if place not in opening else "["
        for label in closing.get(place, ()):
            pieces.append(f"]{_label(label, following)}")
        pieces.append("[" * opening.get(place, 0))
        position = place
    pieces.append(_escaped(text, position, len(text)))
    return "".join(pieces)


def _escaped(text: str, start: int, end: int) -> str:
    """A piece of the text; a mark at its start may be a header only where a line begins."""
    piece = text[start:end].replace("\\", "\\\\").replace("[", r"\[").replace("]", r"\]")
    piece = re.sub(r"\n#(?= document )", r"\n\\#", piece).replace("\r", r"\r")
    begins_line = start == 0 or text[start - 1] == "\n"
    return "\\" + piece if begins_line and piece.startswith("# document ") else piece


def _label(label: str, following: str) -> str:
    """The label bare, or in braces where it or what follows it would mislead the reader.

    >>> _label("1", " "), _label("1", "s"), _label("a}", "")
    ('1', '{1}', '{a\\\\}}')
    """
    if _BARE.fullmatch(label) and not _BARE.match(following):
        return label
    plain = " ".join(label.split("\n")) or "_"
    return "{" + plain.replace("\\", "\\\\").replace("}", "\\}") + "}"
