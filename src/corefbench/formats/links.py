"""Chains out of tags that point to each other: ID, REF, TYPE, as MUC has them."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from corefbench.formats.markup import Tag

Fault: TypeAlias = Callable[[str, str, Tag, str], None]
"""Told of a code, a message, the tag at fault and the repair."""

OWN = frozenset({"ID", "REF", "MIN", "MINSPAN", "TYPE"})
"""The attributes that the model holds otherwise than as columns."""


def mentions_by_id(tags: Sequence[Tag], names: Sequence[str], fault: Fault) -> dict[str, int]:
    """The mention of every ID; ``names`` are the IDs of the tags."""
    ids: dict[str, int] = {}
    for number, (tag, name) in enumerate(zip(tags, names, strict=True)):
        if not name:
            fault("CB125", "a COREF has no ID", tag, "kept without one")
        elif name in ids:
            message = "an ID occurs twice; where IDs are those of chains, the format is ontonotes"
            fault("CB126", message, tag, "REF means the first")
        else:
            ids[name] = number
    return ids


def chain_labels(tags: Sequence[Tag], fault: Fault) -> tuple[list[str], list[tuple[int, int]]]:
    """The label of every mention's chain, the ID of its first mention; and, as pairs of anaphor
    and anchor, the links whose TYPE is not IDENT.

    Chains are the connected components of REF, which may point forwards (MUC-7 task definition).
    """
    names = [tag.get("ID") for tag in tags]
    ids = mentions_by_id(tags, names, fault)
    root = list(range(len(tags)))
    bridges: list[tuple[int, int]] = []

    def find(number: int) -> int:
        while root[number] != number:
            root[number] = root[root[number]]
            number = root[number]
        return number

    for number, tag in enumerate(tags):
        target = tag.get("REF")
        if target and target not in ids:
            fault("CB115", "REF points to nothing", tag, "link left out")
        elif target and tag.get("TYPE").upper() not in ("IDENT", ""):
            bridges.append((number, ids[target]))
        elif target:
            first, second = sorted((find(number), find(ids[target])))
            root[second] = first
    firsts = [find(number) for number in range(len(tags))]
    return [names[n] if ids.get(names[n]) == n else f"#{n}" for n in firsts], bridges


def mention_columns(tag: Tag) -> dict[str, str]:
    """The attributes to keep; names that the format knows in small letters."""
    columns = {}
    for name, value in tag.attributes.items():
        known = name.upper()
        if known in ("ID", "STATUS") or (known == "TYPE" and value.upper() != "IDENT"):
            columns[known.lower()] = value
        elif known not in OWN:
            columns[name] = value
    return (
        {name: value for name, value in columns.items() if value}
        if "" in columns.values()
        else columns
    )
