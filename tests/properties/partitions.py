"""Random keys and responses: partitions of a few mentions, some of which have no twin."""

from collections.abc import Sequence

from hypothesis import strategies as st

Spans = list[list[tuple[int, int]]]
Pair = tuple[Spans, Spans]

_CHAINS = st.integers(-1, 5)
"""The chain that a mention is in; -1: that side does not have the mention."""


@st.composite
def pairs(draw: st.DrawFn, max_mentions: int = 14) -> Pair:
    """A key and a response document over the same few mentions."""
    places = draw(st.lists(st.tuples(_CHAINS, _CHAINS), max_size=max_mentions))
    return _chains([key for key, _ in places]), _chains([response for _, response in places])


def corpora(max_documents: int = 3, max_mentions: int = 12) -> st.SearchStrategy[list[Pair]]:
    """Several documents of keys and responses."""
    return st.lists(pairs(max_mentions), min_size=1, max_size=max_documents)


def _chains(labels: Sequence[int]) -> Spans:
    chains: dict[int, list[tuple[int, int]]] = {}
    for place, label in enumerate(labels):
        if label >= 0:
            chains.setdefault(label, []).append((2 * place, 2 * place + place % 2))
    return list(chains.values())
