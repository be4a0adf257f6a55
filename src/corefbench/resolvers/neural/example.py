"""Documents as input of the neural resolver."""

from collections.abc import Iterable, Sequence

from corefbench.records import Record

Span = tuple[int, int]


class Example(Record, frozen=True):
    """A document; chains of half-open spans by annotation scheme."""

    name: str
    words: tuple[str, ...]
    sentences: tuple[int, ...]
    """The first word of every sentence."""
    speakers: tuple[str, ...] | None = None
    chains: dict[str, tuple[tuple[Span, ...], ...]] = {}  # noqa: RUF012

    def sentence_of_words(self) -> list[int]:
        """Return the sentence number of every word."""
        numbers: list[int] = []
        edges = [*self.sentences, len(self.words)]
        for number in range(len(self.sentences)):
            numbers += [number] * (edges[number + 1] - edges[number])
        return numbers


def normalize_chains(clusters: Sequence[Sequence[Span]]) -> tuple[tuple[Span, ...], ...]:
    """Sort spans and drop duplicates and empty clusters."""
    return tuple(tuple(sorted(set(cluster))) for cluster in clusters if cluster)


def has_singletons(chains: Iterable[Sequence[Span]]) -> bool:
    """Return whether singletons are annotated.

    A few do not count: chains whose other mentions are empty nodes.

    >>> has_singletons([[(0, 1)], [(2, 3)], [(4, 5), (6, 7)]]), has_singletons([[(4, 5), (6, 7)]])
    (True, False)
    """
    alone = [len(chain) == 1 for chain in chains]
    return sum(alone) > _STRAY_SHARE * len(alone)


_STRAY_SHARE = 0.05
