"""What a resolver answers: for every anaphor a decision that explains itself, and the chains."""

from typing import Literal, TypeAlias

from corefbench.display import as_html
from corefbench.findings import Finding
from corefbench.preprocess.discourse import Discourse
from corefbench.record import Record

Dropped: TypeAlias = Literal["", "person", "number", "gender", "animacy", "binding", "other"]
"""Why a candidate was dropped; empty while it is in the running. The first four are the agreement
filter; ``binding`` is every syntactic restriction (co-arguments, containment, command)."""

AGREEMENT: frozenset[Dropped] = frozenset({"person", "number", "gender", "animacy"})


class Candidate(Record, frozen=True, gc=False):
    """A phrase that was considered as antecedent of one anaphor."""

    phrase: int
    dropped: Dropped = ""
    score: float | None = None
    factors: tuple[tuple[str, float], ...] = ()
    """What the score is made of: indicator scores, salience factors and adjustments, by name."""

    @property
    def agrees(self) -> bool:
        """Whether it passed the agreement filter."""
        return self.dropped not in AGREEMENT


class Decision(Record, frozen=True, gc=False):
    """How one anaphor was resolved."""

    anaphor: int
    antecedent: int | None
    """A phrase, or None where the resolver left the anaphor alone."""
    candidates: tuple[Candidate, ...] = ()
    """All phrases of the resolver's window, the dropped ones too, in text order."""
    rule: str = ""
    """The rule or reason that decided: ``unique in discourse``, ``highest salience`` …"""
    confidence: float | None = None
    """From 0 to 1, where the resolver has a notion of it."""


class Resolution(Record, frozen=True):
    """The answer of one resolver for one document."""

    resolver: str
    """Name and parameters, as they are signed."""
    discourse: Discourse
    decisions: tuple[Decision, ...]
    """One for every anaphor it looked at, in text order."""
    links: tuple[tuple[int, int], ...] = ()
    """Further pairs of coreferent phrases, such as names that match."""
    mentions: tuple[int, ...] | None = None
    """The phrases that are mentions of the answer; None: those in chains of two and more."""
    findings: tuple[Finding, ...] = ()
    """What users should know of the answer, such as mentions that could not be placed."""

    def _repr_html_(self) -> str:
        return as_html(self)

    def chains(self) -> list[list[int]]:
        """The phrases that corefer, directly or not; with ``mentions``, singletons too."""
        parent = list(range(len(self.discourse.phrases)))

        def root(phrase: int) -> int:
            while parent[phrase] != phrase:
                parent[phrase] = phrase = parent[parent[phrase]]
            return phrase

        decided = [(d.anaphor, d.antecedent) for d in self.decisions if d.antecedent is not None]
        for one, other in (*decided, *self.links):
            first, second = sorted((root(one), root(other)))
            parent[second] = first
        groups: dict[int, list[int]] = {}
        for phrase in range(len(parent)):
            groups.setdefault(root(phrase), []).append(phrase)
        if self.mentions is None:
            return [group for group in groups.values() if len(group) > 1]
        chosen = set(self.mentions)
        kept = ([phrase for phrase in group if phrase in chosen] for group in groups.values())
        return [group for group in kept if group]
