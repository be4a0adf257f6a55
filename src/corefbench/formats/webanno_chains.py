"""The chains of many WebAnno documents at once, and the relations that make none."""

from typing import TypeAlias

import numpy as np

from corefbench.formats.appearance import by_appearance
from corefbench.formats.components import components
from corefbench.formats.webanno_cells import Links
from corefbench.formats.webanno_lines import Relations as Declared
from corefbench.formats.webanno_lines import unescaped
from corefbench.formats.webanno_mentions import Spans
from corefbench.formats.webanno_spans import SPLIT, bridging_label
from corefbench.model.corpus import Chains, Relations
from corefbench.record import Ints, Longs

_Link: TypeAlias = tuple[int, str, int, int]
"""Place, type, the span that refers, the span it refers to."""


def chained(
    spans: Spans, relations: list[Declared], apart: tuple[str, ...]
) -> tuple[Chains, Longs, Relations]:
    """The chains, that of each mention, and bridging and split antecedents; relations of a type
    that begins with one of ``apart`` make no chains."""
    links = _links(spans, relations)
    kinds = {kind: unescaped(kind) for _, kind, _, _ in links}
    others = {kind for kind, text in kinds.items() if text.startswith(apart)}
    same = [(one, other) for _, kind, one, other in links if kind not in others]
    component = np.array(components(len(spans.first), same), np.int64)
    first, chain = by_appearance(component[spans.order])
    # Labels count the components of a document.
    base = component[np.searchsorted(spans.document, spans.document)]
    label = (component - base)[spans.order][first]
    document = spans.document[spans.order][first].astype(np.int32)
    rest = [(kinds[kind], one, other) for _, kind, one, other in links if kind in others]
    return Chains(document=document, labels=label), chain, _relations(spans, chain, rest)


def _links(spans: Spans, relations: list[Declared]) -> list[_Link]:
    """The relations between spans, in the order of the text."""
    found: list[_Link] = []
    for relation in relations:
        links = Links.of(spans.rows, relation)
        if links is None:
            continue
        source, bare = links.row.copy(), np.flatnonzero(links.one == 0)
        document = spans.frame.document[links.row[bare]]
        source[bare] = spans.names.rows(document, links.sentence[bare], links.token[bare])
        one = spans.named(relation.layer, source, links.one)
        other = spans.named(relation.layer, links.row, links.other)
        found.extend(zip(links.place.tolist(), links.kind, one, other, strict=True))
    return sorted(found) if len(relations) > 1 else found


def _relations(spans: Spans, chain: Longs, links: list[tuple[str, int, int]]) -> Relations:
    ends = np.array([link[1:] for link in links], np.int64).reshape(-1, 2)
    mention = spans.number[ends].astype(np.int32)
    split = np.array([kind == SPLIT for kind, _, _ in links], np.bool_)
    plural, element = np.ascontiguousarray(chain.astype(np.int32)[mention[split]].T)
    anaphor, anchor = np.ascontiguousarray(mention[~split].T)
    unknown: Ints = np.full(len(anaphor), -1, np.int32)
    return Relations(
        plural=plural,
        element=element,
        bridging_anaphor=anaphor,
        bridging_mention=anchor,
        bridging_chain=unknown,
        bridging_label=tuple(bridging_label(kind) for kind, _, _ in links if kind != SPLIT),
    )
