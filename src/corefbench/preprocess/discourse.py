"""The document that all resolvers share: its analysis, noun phrases and clauses.

It is made once per document (``discourse_of``), from the pipeline's noun phrases (automatic mode)
or from the mentions of a key (annotated mode), and never changed: resolvers keep their own notes.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.phrase import Phrase
from corefbench.record import Record


class Clause(Record, frozen=True):
    """A clause: its verb or predicate, the tokens it covers, and the clause it lies in."""

    head: int
    start: int
    end: int
    sentence: int
    parent: int
    """A place in ``Discourse.clauses``; -1 for a main clause."""
    finite: bool
    relation: str
    """How it hangs in the tree: root, conj, ccomp, advcl, acl:relcl …"""


class Discourse(Record, frozen=True, dict=True):
    """A document ready to be resolved.

    ``phrases`` are in the order in which they begin, the longer first; ``clauses`` in the order
    of their heads.
    """

    analysis: Analysis
    phrases: tuple[Phrase, ...]
    clauses: tuple[Clause, ...]
    mentions: str = "predicted"
    """``predicted`` or ``gold``: whether the phrases are the pipeline's or the key's mentions."""

    @cached_property
    def anaphors(self) -> tuple[Phrase, ...]:
        """The pronouns to resolve, in text order."""
        return tuple(phrase for phrase in self.phrases if phrase.anaphoric)

    @cached_property
    def by_sentence(self) -> tuple[tuple[Phrase, ...], ...]:
        """The phrases of every sentence."""
        rows: list[list[Phrase]] = [[] for _ in self.analysis.sentences]
        for phrase in self.phrases:
            rows[phrase.sentence].append(phrase)
        return tuple(map(tuple, rows))

    def sentence_at(self, token: int) -> int:
        """The sentence of a token."""
        return bisect_right(self._sentence_starts, token) - 1

    @cached_property
    def _sentence_starts(self) -> tuple[int, ...]:
        return tuple(start for start, _ in self.analysis.sentences)

    def text_of(self, phrase: Phrase) -> str:
        """The phrase as it stands in the text."""
        offsets = self.analysis.offsets
        return self.analysis.text[offsets[phrase.start][0] : offsets[phrase.end - 1][1]]

    def words_of(self, phrase: Phrase) -> Sequence[str]:
        """The words of the phrase."""
        return self.analysis.words[phrase.start : phrase.end]
