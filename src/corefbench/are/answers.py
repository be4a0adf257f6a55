"""Answers to a task, told in the terms of the key.

Tasks 1 and 2 speak of entities by their ids, tasks 3 and 4 of spans by the nodes of their first and
last words. Answers in another format than the exercise's own have neither: mentions are then known
by their places, and a pronoun is answered by the mention of its chain before it, or, if it is the
first, by the first name or noun after it.
"""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from corefbench.are.gold import Gold, node_names
from corefbench.are.overlap import Span
from corefbench.model.document import Document
from corefbench.model.mention import Mention

Stranger = Callable[[str], None]
"""Told of a name that the key does not have."""
E = TypeVar("E", int, Span)


class _Answers(Generic[E]):
    """The answers of one document."""

    def __init__(self, gold: Gold, document: Document, stranger: Stranger) -> None:
        self.gold, self.document, self.stranger = gold, document, stranger
        self.columns = document.corpus.mentions.columns

    def entity(self, mention: Mention) -> E | None:
        """What a mention of the answers is in the key."""
        raise NotImplementedError

    def target(self, name: str) -> E | None:
        """What the answer to a pronoun names."""
        raise NotImplementedError

    def is_asked(self, mention: Mention) -> bool:
        """Whether a mention in a chain is a pronoun that the task is about."""
        raise NotImplementedError

    def chains(self) -> list[list[E]]:
        """Every chain, its entities once each."""
        named = (map(self.entity, chain.mentions) for chain in self.document.chains)
        found = (list(dict.fromkeys(e for e in some if e is not None)) for some in named)
        return [members for members in found if members]

    def links(self) -> dict[E, E]:
        """The pronouns that were answered, and what with."""
        found = {}
        for mention, target in self._told() if "antecedent" in self.columns else self._chained():
            source = self.entity(mention)
            if source is not None and target is not None:
                found[source] = target
        return found

    def _told(self) -> Iterator[tuple[Mention, E | None]]:
        for mention in self.document.mentions:
            if name := self.columns["antecedent"][mention.index]:
                yield mention, self.target(name)

    def _chained(self) -> Iterator[tuple[Mention, E | None]]:
        for chain in self.document.chains:
            members = sorted(chain.mentions, key=lambda m: (m.start, -m.end))
            for place, mention in enumerate(members):
                if self.is_asked(mention) and len(members) > 1:
                    after = [m for m in members[1:] if not self.is_asked(m)] or members[1:]
                    yield mention, self.entity(members[place - 1] if place else after[0])


class Given(_Answers[int]):
    """Answers to tasks 1 and 2: mentions of the key, by number."""

    def entity(self, mention: Mention) -> int | None:
        name = self.columns["id"][mention.index] if "id" in self.columns else ""
        if name:
            return self.target(name)
        found = self.gold.by_span.get((mention.start, mention.end))
        if found is None:
            self.stranger(f"words {mention.start + 1} to {mention.end}")
        return found

    def target(self, name: str) -> int | None:
        found = self.gold.by_id.get(name)
        if found is None:
            self.stranger(f"entity {name}")
        return found

    def is_asked(self, mention: Mention) -> bool:
        return self.gold.by_span.get((mention.start, mention.end)) in self.gold.listed


class Raw(_Answers[Span]):
    """Answers to tasks 3 and 4: spans of words."""

    def __init__(self, gold: Gold, document: Document, stranger: Stranger) -> None:
        super().__init__(gold, document, stranger)
        named = "node" in document.corpus.tokens.columns
        self.nodes = node_names(document) if named else gold.nodes

    def entity(self, mention: Mention) -> Span | None:
        if mention.end > len(self.nodes):
            self.stranger(f"words {mention.start + 1} to {mention.end}")
            return None
        return self._between(self.nodes[mention.start], self.nodes[mention.end - 1])

    def target(self, name: str) -> Span | None:
        first, _, last = name.partition("..")
        return self._between(first, last or first)

    def is_asked(self, mention: Mention) -> bool:
        span = self.entity(mention)
        return span is not None and span[1] - span[0] == 1 and span[0] in self.gold.third_person

    def _between(self, first: str, last: str) -> Span | None:
        place = self.gold.by_node
        if first not in place or last not in place or place[first] > place[last]:
            self.stranger(f"nodes {first} to {last}")
            return None
        return (place[first], place[last] + 1)
