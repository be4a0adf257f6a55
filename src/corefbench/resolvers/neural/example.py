"""A document as the model takes it: words, sentences, and what is known of its chains."""

from collections.abc import Sequence

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
