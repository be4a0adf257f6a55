"""The lines of a brat annotation file, made from a document."""

import re
from collections.abc import Iterator, Sequence

from corefbench.formats.brat_lines import ATTRIBUTE_NOTE
from corefbench.formats.tokenise import Span
from corefbench.model.document import Document
from corefbench.model.mention import Mention

COREFERENCE = ("coreference", "coref", "ident", "identity", "equiv")
"""The types, in small letters, of the relations that make chains."""

_NAME = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
_WORD = re.compile(r"\S+")


def document_lines(document: Document, text: str, offsets: Sequence[Span]) -> Iterator[str]:
    """The T lines in order, then relations to the mention before, then attributes."""
    mentions = document.mentions
    ids = {mention.index: f"T{number}" for number, mention in enumerate(mentions, 1)}
    types = document.corpus.mentions.columns.get("type")
    for mention in mentions:
        kind = types[mention.index] if types is not None else ""
        parts = [(offsets[a][0], offsets[b - 1][1]) for a, b in mention.parts]
        place = ";".join(f"{start} {end}" for start, end in parts)
        words = " ".join(" ".join(text[start:end].split()) for start, end in parts)
        kind = kind if _WORD.fullmatch(kind) else "Mention"
        yield f"{ids[mention.index]}\t{kind} {place}\t{words}\n"
    relations = [*_links(document, mentions, ids)]
    attributes: list[tuple[str, str, str]] = []
    _sort_attributes(document, ids, relations, attributes)
    for number, (kind, one, other) in enumerate(relations, 1):
        yield f"R{number}\t{kind} Arg1:{one} Arg2:{other}\n"
    for number, (mark, name, value) in enumerate(attributes, 1):
        yield _attribute(number, name, value, mark)


def _sort_attributes(
    document: Document,
    ids: dict[int, str],
    relations: list[tuple[str, str, str]],
    attributes: list[tuple[str, str, str]],
) -> None:
    """Add what the columns say to the relations, where they name other mentions, or attributes."""
    places = {_place(mention): ids[mention.index] for mention in reversed(document.mentions)}
    for index, mark in ids.items():
        for name, column in document.corpus.mentions.columns.items():
            values = column[index].split()
            prefix, _, kind = name.partition(":")
            if not values or name == "type":
                continue
            if prefix == "relation" and _is_relation(kind) and places.keys() >= set(values):
                relations += [(kind, mark, places[value]) for value in values]
            else:
                attributes.append((mark, name, " ".join(values)))


def _links(
    document: Document, mentions: list[Mention], ids: dict[int, str]
) -> Iterator[tuple[str, str, str]]:
    last: dict[int, str] = {}
    for mention in mentions:
        chain = int(document.corpus.mentions.chain[mention.index])
        if chain in last:
            yield "Coreference", ids[mention.index], last[chain]
        last[chain] = ids[mention.index]


def _attribute(number: int, name: str, value: str, mark: str) -> str:
    """An attribute, a note by its own name, or a note that holds name and value."""
    if _NAME.fullmatch(name) and _WORD.fullmatch(value):
        return f"A{number}\t{name} {mark} {value}\n"
    kind, _, rest = name.partition(":")
    if kind == "normalisation" and _NAME.fullmatch(rest):
        reference, _, words = value.partition(" ")
        return f"N{number}\t{rest} {mark} {reference}" + (f"\t{words}\n" if words else "\n")
    if kind == "note" and _NAME.fullmatch(rest):
        return f"#{number}\t{rest} {mark}\t{value}\n"
    return f"#{number}\t{ATTRIBUTE_NOTE} {mark}\t{' '.join(name.split())}={value}\n"


def _is_relation(kind: str) -> bool:
    """Whether a relation may have that type and not be taken for a link."""
    return _NAME.fullmatch(kind) is not None and kind.lower() not in COREFERENCE


def _place(mention: Mention) -> str:
    return "+".join(f"{start}:{end}" for start, end in mention.parts)
