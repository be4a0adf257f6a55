"""Chains out of tags that point to each other: ID, REF, TYPE, as MUC has them."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np

from corefbench.formats.markup import Tag
from corefbench.model.builder import CorpusBuilder

Span: TypeAlias = tuple[int, int]

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
    names, targets, kinds = _values(tags, "ID", "REF", "TYPE")
    ids = mentions_by_id(tags, names, fault)
    root = list(range(len(tags)))
    bridges: list[tuple[int, int]] = []

    def find(number: int) -> int:
        while root[number] != number:
            root[number] = root[root[number]]
            number = root[number]
        return number

    for number, target in enumerate(targets):
        if not target:
            continue
        if target not in ids:
            fault("CB115", "REF points to nothing", tags[number], "link left out")
        elif kinds[number].upper() not in ("IDENT", ""):
            bridges.append((number, ids[target]))
        else:
            first, second = sorted((find(number), find(ids[target])))
            root[second] = first
    firsts = [number if root[number] == number else find(number) for number in range(len(tags))]
    return [names[n] if ids.get(names[n]) == n else f"#{n}" for n in firsts], bridges


def _values(tags: Sequence[Tag], *names: str) -> list[list[str]]:
    """The values of attributes, by name; where all are in capitals, without asking for others."""
    given = [tag.attributes for tag in tags]
    if "".join(set(chain.from_iterable(given))).isupper():
        return [[some.get(name, "") for some in given] for name in names]
    return [[tag.get(name) for tag in tags] for name in names]


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


def add_linked(
    build: CorpusBuilder,
    tags: Sequence[Tag],
    spans: Sequence[Span],
    fault: Fault,
    minima: Sequence[Sequence[Span]] = (),
) -> None:
    """Add to the open document, which has none yet, the mentions that tags mark, their chains, and
    the bridging that they tell; ``minima`` are the mentions' minimal spans, if they have any."""
    labels, bridges = chain_labels(tags, fault)
    if bridges or any(minima):
        rows = zip(labels, spans, minima or [()] * len(spans), tags, strict=True)
        mentions = [
            build.mention(label, [span], minimum=minimum, columns=mention_columns(tag))
            for label, span, minimum, tag in rows
        ]
        for anaphor, anchor in bridges:
            kind = tags[anaphor].get("TYPE")
            build.bridge(mentions[anaphor], mention=mentions[anchor], label=kind)
        return
    chains: dict[str, int] = {}
    numbers = np.array([chains.setdefault(label, len(chains)) for label in labels], np.int32)
    edges = np.fromiter(chain.from_iterable(spans), np.int32, 2 * len(spans)).reshape(-1, 2)
    ids, columns = _ids_and_columns(tags)
    first = build.add_chains(list(chains))
    full = {"id": ids} if any(ids) else None
    build.add_mentions(edges[:, 0], edges[:, 1], numbers + first, columns=columns, full=full)


def _ids_and_columns(tags: Sequence[Tag]) -> tuple[list[str], dict[int, dict[str, str]]]:
    """The IDs of the tags, and, by number, what few of them have beside: the other columns."""
    ids: list[str] = []
    columns: dict[int, dict[str, str]] = {}
    for number, tag in enumerate(tags):
        if len(tag.attributes) == 1 and "ID" in tag.attributes:
            ids.append(tag.attributes["ID"])
            continue
        some = mention_columns(tag)
        ids.append(some.pop("id", ""))
        if some:
            columns[number] = some
    return ids, columns
