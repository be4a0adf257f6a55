"""One error: a mention, what the key says of it, what the response says, and its class."""

from typing import Literal, TypeAlias

from corefbench.analysis.errors.pair import Pair, SideName
from corefbench.analysis.strata import stratum_named
from corefbench.record import Columns, Record

Taxonomy: TypeAlias = Literal["decisions", "operations", "links"]

CLASSES: dict[Taxonomy, tuple[str, ...]] = {
    "decisions": ("false-new", "false-link", "wrong-link"),
    "operations": (
        "span-error",
        "conflated-entities",
        "extra-mention",
        "extra-entity",
        "divided-entity",
        "missing-mention",
        "missing-entity",
    ),
    "links": ("recall-error", "precision-error"),
}
"""The classes of every taxonomy, operations in the order in which they are applied."""


class Passage(Record, frozen=True):
    """A mention in its text. Sentences count from 1, spans are half-open within the document."""

    document: str
    sentence: int
    span: tuple[int, int]
    text: str
    before: str = ""
    after: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.before, f"[{self.text}]", self.after)))


class Example(Record, frozen=True):
    """An error as people read it."""

    taxonomy: Taxonomy
    kind: str
    mention: Passage
    key: Passage | None = None
    """What the key has: the antecedent, the span, the rest of the entity."""
    response: Passage | None = None
    """What the response has in its place."""
    members: tuple[Passage, ...] = ()
    """All mentions of the error, where it is about several."""
    type: str = ""
    low_frequency: bool | None = None


class Error(Columns, frozen=True, eq=False):
    """A view of the pair; nothing is copied until it is asked for."""

    pair: Pair
    taxonomy: Taxonomy
    kind: str
    """Its class."""
    side: SideName
    """The side that ``mention`` and ``members`` are of."""
    mention: int
    key: int = -1
    """A mention of the key: what is right."""
    response: int = -1
    """A mention of the response: what is wrong."""
    members: tuple[int, ...] = ()
    low_frequency: bool | None = None
    """Whether a related mention has a word that training hardly has; None without training."""

    def __repr__(self) -> str:
        return f"<Error {self.kind}: {self.text!r} in {self.document}>"

    @property
    def document(self) -> str:
        return self.stratum("document")

    @property
    def text(self) -> str:
        return self.pair.side(self.side).text(self.mention)

    def stratum(self, name: str) -> str:
        """In which stratum of that kind its mention is; ``antecedent`` is the type of the other."""
        if name == "antecedent":
            return self._antecedent_type()
        return self.pair.side(self.side).strata[stratum_named(name)][self.mention]

    def _antecedent_type(self) -> str:
        if self.key >= 0:
            return self.pair.key.kinds.type[self.key]
        return self.pair.response.kinds.type[self.response] if self.response >= 0 else "none"

    def related(self) -> list[tuple[SideName, int]]:
        """The mention, the right antecedent and the wrong one, as far as there are any."""
        made: list[tuple[SideName, int]] = [(self.side, self.mention)]
        made += [("key", self.key)] if self.key >= 0 else []
        return made + ([("response", self.response)] if self.response >= 0 else [])

    def example(self, width: int = 8) -> Example:
        """The error with so many words around its mention."""
        return Example(
            taxonomy=self.taxonomy,
            kind=self.kind,
            mention=passage(self.pair, self.side, self.mention, width),
            key=passage(self.pair, "key", self.key, width) if self.key >= 0 else None,
            response=passage(self.pair, "response", self.response, width)
            if self.response >= 0
            else None,
            members=tuple(passage(self.pair, self.side, m, width) for m in self.members),
            type=self.stratum("type"),
            low_frequency=self.low_frequency,
        )


def passage(pair: Pair, name: SideName, mention: int, width: int = 8) -> Passage:
    """A mention with words around it, which stay within its document."""
    side = pair.side(name)
    document = side.document[mention]
    start, end = side.place(mention)
    first, last = (int(side.tokens.offsets[d]) for d in (document, document + 1))
    return Passage(
        document=side.strata["document"][mention],
        sentence=side.sentence[mention] + 1,
        span=side.span(mention),
        text=side.text(mention),
        before=" ".join(side.words[max(first, start - width) : start]),
        after=" ".join(side.words[end : min(last, end + width)]),
    )
