"""The key of one document as the tasks look at it, with the names that answers may use."""

from collections.abc import Mapping
from functools import cached_property

from corefbench.are.overlap import Span
from corefbench.language.pronouns import THIRD_PERSON, lookup
from corefbench.model.document import Document
from corefbench.record import Record


class Gold(Record, frozen=True, dict=True):
    """Mentions by number, in opening order; their spans, chains, names and words."""

    document: str
    spans: tuple[Span, ...]
    chains: tuple[int, ...]
    """The chain of every mention."""
    ids: tuple[str, ...]
    listed: tuple[int, ...]
    """The mentions that are pronouns to be resolved."""
    pronouns: frozenset[int]
    """The words that are pronouns, of any person."""
    third_person: frozenset[int]
    """Those that the exercise asks for."""
    nodes: tuple[str, ...]
    """The name of every word."""

    @cached_property
    def by_id(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.ids)}

    @cached_property
    def by_span(self) -> Mapping[Span, int]:
        """Of mentions with one span the first."""
        return {span: number for number, span in reversed(list(enumerate(self.spans)))}

    @cached_property
    def by_node(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.nodes)}

    @cached_property
    def members(self) -> Mapping[int, list[int]]:
        """The mentions of every chain."""
        found: dict[int, list[int]] = {}
        for number, chain in enumerate(self.chains):
            found.setdefault(chain, []).append(number)
        return found

    def is_pronoun(self, span: Span) -> bool:
        """Whether a span is a pronoun and nothing more; those to be resolved are, whatever their
        words."""
        return (span[1] - span[0] == 1 and span[0] in self.pronouns) or span in self._listed_spans

    @cached_property
    def _listed_spans(self) -> frozenset[Span]:
        return frozenset(self.spans[number] for number in self.listed)


def gold_of(document: Document) -> Gold:
    """The key of a document of a task's corpus."""
    mentions, words = document.mentions, document.words
    columns = document.corpus.mentions.columns
    return Gold(
        document=document.label,
        spans=tuple((m.start, m.end) for m in mentions),
        chains=tuple(int(document.corpus.mentions.chain[m.index]) for m in mentions),
        ids=tuple(columns["id"][m.index] for m in mentions),
        listed=tuple(n for n, m in enumerate(mentions) if columns["anaphoric"][m.index]),
        pronouns=frozenset(n for n, word in enumerate(words) if lookup(word) is not None),
        third_person=frozenset(n for n, word in enumerate(words) if word.lower() in THIRD_PERSON),
        nodes=tuple(node_names(document)),
    )


def node_names(document: Document) -> list[str]:
    """The nodes of the words; where the corpus has none, they are numbered from 1."""
    column = document.corpus.tokens.columns.get("node")
    first = int(document.corpus.tokens.offsets[document.index])
    given = column.slice(first, first + len(document)) if column is not None else []
    named = bool(given) and all(given) and len(set(given)) == len(given)
    return given if named else [str(number + 1) for number in range(len(document))]
