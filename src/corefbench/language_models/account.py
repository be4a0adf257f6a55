"""What became of the answers: what could be used, what not, and why."""

from collections import Counter
from collections.abc import Mapping
from typing import Literal, TypeAlias

from corefbench.record import Record

State: TypeAlias = Literal["used", "missing", "failed", "empty", "not a copy", "not found", "none"]
"""``missing``: the prompt has no answer; ``failed``: the service gave an error; ``not a copy``:
most words are not in the text; of questions on pronouns, ``not found``: the answer is not in the
text, ``none``: the model says that there is no antecedent."""


class Reply(Record, frozen=True):
    """What became of one answer."""

    id: str
    document: str
    state: State
    words: int = 0
    """Words of the source: the window that was asked about."""
    unaligned: int = 0
    """Words of the source that the answer does not have."""
    added: int = 0
    changed: int = 0
    cut: bool = False
    """Whether the end of the text is missing."""
    removed: tuple[str, ...] = ()
    """What stood around the text: thoughts, fence, preamble, afterword, excess."""
    variants: int = 0
    """Marks that were written in another way, and understood."""
    marked: int = 0
    """Mentions that the answer marks, and …"""
    mentions: int = 0
    """… those that are used."""
    dropped: Mapping[str, int] = {}
    """Brackets that are no mention, by reason."""
    chains: int = 0
    lost_chains: int = 0
    right: bool | None = None
    """Of a question on a pronoun: whether the antecedent is right."""


class Account(Record, frozen=True):
    """What became of all answers."""

    replies: tuple[Reply, ...]
    documents: int
    silent: tuple[str, ...]
    """Documents in which nothing was marked: they count as empty when they are scored."""
    words: int
    """Words of the corpus, and …"""
    uncovered: int
    """… those that are in no answer that was used."""
    unknown: tuple[str, ...] = ()
    """Ids of answers that belong to no window of the corpus as it is."""
    repeated: int = 0
    """Answers that a later answer to the same prompt replaced."""
    unread: int = 0
    """Lines of the file that are no answers."""
    joined: int = 0
    refused: int = 0
    """Pairs of chains in the overlap of windows that were joined, and that were not."""
    prompts: str = ""
    """A hash of the prompts, where they were given."""

    @property
    def used(self) -> tuple[Reply, ...]:
        """Replies of which something was used."""
        return tuple(reply for reply in self.replies if reply.state == "used")

    @property
    def states(self) -> dict[str, int]:
        """How many answers came to what."""
        return dict(Counter(reply.state for reply in self.replies).most_common())

    @property
    def dropped(self) -> dict[str, int]:
        """Brackets that are no mention, by reason."""
        total: Counter[str] = Counter()
        for reply in self.used:
            total.update(reply.dropped)
        return dict(total.most_common())

    def total(self, name: str) -> int:
        """The sum of a number over the answers that are used.

        >>> one = Reply(id="a", document="d", state="used", words=9)
        >>> Account(replies=(one, one), documents=1, silent=(), words=9, uncovered=0).total("words")
        18
        """
        return sum(getattr(reply, name) for reply in self.used)

    @property
    def unaligned_share(self) -> float:
        """The share of the words asked about, in answers that are used, that these do not have."""
        words = self.total("words")
        return self.total("unaligned") / words if words else 0.0
