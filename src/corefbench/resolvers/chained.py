"""Chains found elsewhere, as a resolution: how programs with mentions of their own are compared."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from corefbench.findings import Finding
from corefbench.preprocess.build import discourse_of
from corefbench.preprocess.discourse import Discourse
from corefbench.record import Record
from corefbench.resolvers.resolution import Decision, Resolution

Span = tuple[int, int]


class Link(Record, frozen=True):
    """What a mention was linked to, and how sure the program was."""

    antecedent: Span
    confidence: float


def resolution_of_chains(
    resolver: str,
    discourse: Discourse,
    chains: Iterable[Sequence[Span]],
    *,
    links: Mapping[Span, Link] | None = None,
    findings: Sequence[Finding] = (),
    rule: str = "chain",
) -> Resolution:
    """The resolution that says these chains, spans of tokens of the discourse.

    Its phrases are the mentions of the chains, so nothing of them is lost. What a pronoun was
    resolved to is the nearest mention before it in its chain, or the first of those after it,
    unless ``links`` tells it; a link from one chain to another, or to itself, is none.
    """
    listed = [sorted(set(chain)) for chain in chains]
    own = discourse_of(discourse.analysis, [(*span, None) for chain in listed for span in chain])
    place = {(phrase.start, phrase.end): phrase.index for phrase in own.phrases}
    decisions: list[Decision] = []
    pairs: list[tuple[int, int]] = []
    for chain in listed:
        members = sorted(place[span] for span in chain if span in place)
        pairs += pairwise(members)
        told = {
            place[span]: Decision(
                anaphor=place[span],
                antecedent=place[link.antecedent],
                rule=rule,
                confidence=link.confidence,
            )
            for span in chain
            if (link := (links or {}).get(span)) and link.antecedent in chain
            if link.antecedent != span
        }
        for order, member in enumerate(members):
            if member in told:
                decisions.append(told[member])
            elif own.phrases[member].anaphoric and len(members) > 1:
                nearest = members[order - 1] if order else members[1]
                decisions.append(Decision(anaphor=member, antecedent=nearest, rule=rule))
    return Resolution(
        resolver=resolver,
        discourse=own,
        decisions=tuple(sorted(decisions, key=lambda decision: decision.anaphor)),
        links=tuple(pairs),
        mentions=tuple(range(len(own.phrases))),
        findings=tuple(findings),
    )
