"""A document as the model takes it: words, sentences, and what is known of its chains."""

from collections.abc import Iterable, Sequence

from corefbench.record import Record

Span = tuple[int, int]


class Example(Record, frozen=True):
    """One document; chains are half-open spans, by the scheme of annotation that has them."""

    name: str
    words: tuple[str, ...]
    sentences: tuple[int, ...]
    """The first word of every sentence."""
    speakers: tuple[str, ...] | None = None
    chains: dict[str, tuple[tuple[Span, ...], ...]] = {}  # noqa: RUF012

    def sentence_of_words(self) -> list[int]:
        """For every word the number of its sentence."""
        numbers: list[int] = []
        edges = [*self.sentences, len(self.words)]
        for number in range(len(self.sentences)):
            numbers += [number] * (edges[number + 1] - edges[number])
        return numbers


def chains_of(clusters: Sequence[Sequence[Span]]) -> tuple[tuple[Span, ...], ...]:
    """Clusters as an example keeps them: sorted, each span once."""
    return tuple(tuple(sorted(set(cluster))) for cluster in clusters if cluster)


def has_singletons(chains: Iterable[Sequence[Span]]) -> bool:
    """Whether annotation has singletons: more than a stray one, such as chains are left with where
    their other mentions are empty nodes.

    >>> has_singletons([[(0, 1)], [(2, 3)], [(4, 5), (6, 7)]]), has_singletons([[(4, 5), (6, 7)]])
    (True, False)
    """
    alone = [len(chain) == 1 for chain in chains]
    return sum(alone) > _STRAY * len(alone)


_STRAY = 0.05
