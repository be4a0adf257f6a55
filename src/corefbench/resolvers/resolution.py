"""Records of a resolver's answer: decisions with their reasons, and chains."""

from typing import Literal, TypeAlias

from corefbench.diagnostics import Finding
from corefbench.display import as_html
from corefbench.preprocess.discourse import Discourse
from corefbench.records import Record

Dropped: TypeAlias = Literal["", "person", "number", "gender", "animacy", "binding", "other"]
"""Why a candidate was dropped; empty if it was not. The first four are the agreement filter;
``binding`` is any syntactic restriction (co-arguments, containment, command)."""

AGREEMENT: frozenset[Dropped] = frozenset({"person", "number", "gender", "animacy"})


class Candidate(Record, frozen=True, gc=False):
    """A phrase that was considered as antecedent of one anaphor."""

    phrase: int
    dropped: Dropped = ""
    score: float | None = None
    factors: tuple[tuple[str, float], ...] = ()
    """The parts of the score by name: indicator scores, salience factors and adjustments."""

    @property
    def agrees(self) -> bool:
        """Whether it passed the agreement filter."""
        return self.dropped not in AGREEMENT


class Decision(Record, frozen=True, gc=False):
    """How one anaphor was resolved."""

    anaphor: int
    antecedent: int | None
    """A phrase, or None if the anaphor is unresolved."""
    candidates: tuple[Candidate, ...] = ()
    """All phrases of the resolver's window, the dropped ones too, in text order."""
    rule: str = ""
    """The rule or reason that decided: ``unique in discourse``, ``highest salience`` …"""
    confidence: float | None = None
    """From 0 to 1, if the resolver has one."""


class Resolution(Record, frozen=True):
    """The answer of one resolver for one document."""

    resolver: str
    """The signature: name and parameters."""
    discourse: Discourse
    decisions: tuple[Decision, ...]
    """One for every anaphor it looked at, in text order."""
    links: tuple[tuple[int, int], ...] = ()
    """Further pairs of coreferent phrases, such as names that match."""
    mentions: tuple[int, ...] | None = None
    """The phrases that are mentions of the answer; None: those in chains of two and more."""
    findings: tuple[Finding, ...] = ()
    """Diagnostics of the answer, such as mentions that could not be aligned."""

    def _repr_html_(self) -> str:
        return as_html(self)

    def chains(self) -> list[list[int]]:
        """Return the phrases of each chain, by union-find; with ``mentions``, singletons too."""
        parent = list(range(len(self.discourse.phrases)))

        def root(phrase: int) -> int:
            while parent[phrase] != phrase:
                parent[phrase] = phrase = parent[parent[phrase]]
            return phrase

        pairs = [(d.anaphor, d.antecedent) for d in self.decisions if d.antecedent is not None]
        for anaphor, antecedent in (*pairs, *self.links):
            first, second = sorted((root(anaphor), root(antecedent)))
            parent[second] = first
        groups: dict[int, list[int]] = {}
        for phrase in range(len(parent)):
            groups.setdefault(root(phrase), []).append(phrase)
        if self.mentions is None:
            return [group for group in groups.values() if len(group) > 1]
        chosen = set(self.mentions)
        chains = ([phrase for phrase in group if phrase in chosen] for group in groups.values())
        return [group for group in chains if group]
