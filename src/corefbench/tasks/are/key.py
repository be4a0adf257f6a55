"""The key of one document as the tasks see it, with the names that answers may use."""

from collections.abc import Mapping
from functools import cached_property

from corefbench.corpus.views import Document
from corefbench.preprocess.english.pronouns import THIRD_PERSON, lookup_pronoun
from corefbench.records import Record
from corefbench.tasks.are.overlap import Span


class DocumentKey(Record, frozen=True, dict=True):
    """The mentions of a document in opening order, with their spans, chains and names."""

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
    """The words that are third-person pronouns."""
    nodes: tuple[str, ...]
    """The node name of every word."""

    @cached_property
    def by_id(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.ids)}

    @cached_property
    def by_span(self) -> Mapping[Span, int]:
        """Span → mention; of mentions with equal spans the first."""
        return {span: number for number, span in reversed(list(enumerate(self.spans)))}

    @cached_property
    def by_node(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.nodes)}

    @cached_property
    def members(self) -> Mapping[int, list[int]]:
        """The mentions of every chain."""
        members: dict[int, list[int]] = {}
        for number, chain in enumerate(self.chains):
            members.setdefault(chain, []).append(number)
        return members

    def is_pronoun(self, span: Span) -> bool:
        """Whether a span is just a pronoun; those listed for resolution always are."""
        return (span[1] - span[0] == 1 and span[0] in self.pronouns) or span in self._listed_spans

    @cached_property
    def _listed_spans(self) -> frozenset[Span]:
        return frozenset(self.spans[number] for number in self.listed)


def make_document_key(document: Document) -> DocumentKey:
    """Return the key of a document of a task's corpus."""
    mentions, words = document.mentions, document.words
    columns = document.corpus.mentions.columns
    return DocumentKey(
        document=document.label,
        spans=tuple((m.start, m.end) for m in mentions),
        chains=tuple(int(document.corpus.mentions.chain[m.index]) for m in mentions),
        ids=tuple(columns["id"][m.index] for m in mentions),
        listed=tuple(n for n, m in enumerate(mentions) if columns["anaphoric"][m.index]),
        pronouns=frozenset(n for n, word in enumerate(words) if lookup_pronoun(word) is not None),
        third_person=frozenset(n for n, word in enumerate(words) if word.lower() in THIRD_PERSON),
        nodes=tuple(node_names(document)),
    )


def node_names(document: Document) -> list[str]:
    """Return the node names of the words; without nodes, words are numbered from 1."""
    column = document.corpus.tokens.columns.get("node")
    first = int(document.corpus.tokens.offsets[document.index])
    nodes = column.slice(first, first + len(document)) if column is not None else []
    is_unique = bool(nodes) and all(nodes) and len(set(nodes)) == len(nodes)
    return nodes if is_unique else [str(number + 1) for number in range(len(document))]
