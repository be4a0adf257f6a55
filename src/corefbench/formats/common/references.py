"""Chains from links between mentions."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from corefbench.corpus.builder import CorpusBuilder
from corefbench.formats.common.sgml import Tag
from corefbench.formats.common.spans import Span

FaultHandler: TypeAlias = Callable[[str, str, Tag, str], None]
"""Called with a code, a message, the tag at fault and the repair."""
RESERVED_ATTRIBUTES = frozenset({"ID", "REF", "MIN", "MINSPAN", "TYPE"})
"""The attributes that a corpus holds otherwise than as columns."""


def add_linked_mentions(
    build: CorpusBuilder,
    tags: Sequence[Tag],
    spans: Sequence[Span],
    fault: FaultHandler,
    minima: Sequence[Sequence[Span]] = (),
) -> None:
    """Add mentions that are marked by tags to the open document, with their chains and bridging.

    Chains are the connected components of REF, which may point forwards (MUC-7 task definition);
    the ID of the first mention labels the chain. A REF whose TYPE is not IDENT is bridging.
    ``minima`` are the minimal spans of the mentions, if there are any.
    """
    ids = _mentions_by_id(tags, fault)
    links: list[tuple[int, int]] = []
    bridges: list[tuple[int, int]] = []
    for number, tag in enumerate(tags):
        target = tag.get("REF")
        if target and target not in ids:
            fault("CB115", "REF points to nothing", tag, "link left out")
        elif target:
            is_identity = tag.get("TYPE").upper() in ("IDENT", "")
            (links if is_identity else bridges).append((number, ids[target]))
    labels: dict[int, str] = {}
    mentions = []
    components = connected_components(len(tags), links)
    rows = zip(tags, components, spans, minima or [()] * len(spans), strict=True)
    for number, (tag, component, span, minimum) in enumerate(rows):
        name = tag.get("ID")
        label = labels.setdefault(component, name if ids.get(name) == number else f"#{number}")
        columns = _mention_columns(tag)
        mentions.append(build.mention(label, [span], minimum=minimum, columns=columns))
    for anaphor, anchor in bridges:
        kind = tags[anaphor].get("TYPE")
        build.bridge(mentions[anaphor], mention=mentions[anchor], label=kind)


def _mentions_by_id(tags: Sequence[Tag], fault: FaultHandler) -> dict[str, int]:
    ids: dict[str, int] = {}
    for number, tag in enumerate(tags):
        name = tag.get("ID")
        if not name:
            fault("CB125", "a COREF has no ID", tag, "kept without one")
        elif name in ids:
            message = "an ID occurs twice; where IDs are those of chains, the format is ontonotes"
            fault("CB126", message, tag, "REF means the first")
        else:
            ids[name] = number
    return ids


def _mention_columns(tag: Tag) -> dict[str, str]:
    """Return the attributes to keep; those that the format defines get lower-case names."""
    columns = {"id": tag.get("ID")}
    for name, value in tag.attributes.items():
        upper = name.upper()
        if upper == "STATUS" or (upper == "TYPE" and value.upper() != "IDENT"):
            columns[upper.lower()] = value
        elif upper not in RESERVED_ATTRIBUTES:
            columns[name] = value
    return {name: value for name, value in columns.items() if value}


def connected_components(count: int, links: Iterable[tuple[int, int]]) -> list[int]:
    """Return the component of each of ``count`` nodes, numbered by first appearance.

    >>> connected_components(5, [(4, 1), (2, 4)])
    [0, 1, 1, 2, 1]
    """
    parent = list(range(count))

    def find_root(node: int) -> int:
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    for first, second in links:
        low, high = sorted((find_root(first), find_root(second)))
        parent[high] = low
    components: list[int] = []
    new = 0
    for node, above in enumerate(parent):  # a parent comes before its children
        components.append(components[above] if above < node else new)
        new += above == node
    return components
