"""A resolver as a participant: from the input of a task to its answers.

With given entities it gets the words, the sentences and the entities as its phrases; of raw text it
gets the text alone. Pre-processing is the same for all. A pronoun that a resolver left undecided
but put in a chain is answered by the mention of the chain before it.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TypeVar

from corefbench.are.overlap import Span
from corefbench.are.tasks import Task
from corefbench.bench.plan import Plan
from corefbench.bench.prepare import Prepared
from corefbench.judging.key import key_of
from corefbench.preprocess.alignment import TokenAlignment
from corefbench.preprocess.phrase import Phrase
from corefbench.record import Record
from corefbench.resolvers.resolution import Resolution

E = TypeVar("E", int, Span)


class Answer(Record, frozen=True):
    """What a resolver says of one document, in the terms of its task.

    Entities are mentions of the input, by number, or half-open spans of its words.
    """

    links: Mapping[int, int] = {}
    """Task 1."""
    chains: tuple[tuple[int, ...], ...] = ()
    """Task 2."""
    raw_links: Mapping[Span, Span] = {}
    """Task 3."""
    raw_chains: tuple[tuple[Span, ...], ...] = ()
    """Task 4."""


def plan_of(task: Task, preprocess: str, *, cache: bool = True) -> Plan:
    """How documents are prepared for a task."""
    return Plan(
        mode="annotated" if task.gives_entities else "automatic",
        preprocess=preprocess,
        cache=cache,
    )


def answer_of(task: Task, prepared: Prepared, resolution: Resolution) -> Answer:
    """A resolution as the answer to a task."""
    if task.gives_entities:
        given = _given(prepared, resolution)
        if task.asks_chains:
            return Answer(chains=tuple(map(tuple, _chains(resolution, given))))
        return Answer(links=_links(resolution, given))
    raw = _raw(prepared, resolution)
    if task.asks_chains:
        return Answer(raw_chains=tuple(map(tuple, _chains(resolution, raw))))
    return Answer(raw_links=_links(resolution, raw))


def _given(prepared: Prepared, resolution: Resolution) -> Callable[[Phrase], int | None]:
    """Which entity of the input a phrase is: one with its head, the nearest in extent."""
    key = prepared.key
    if resolution.discourse is not prepared.discourse:
        offsets = prepared.given.offsets or ()
        key = key_of(prepared.document, offsets, resolution.discourse)

    def entity(phrase: Phrase) -> int | None:
        number = key.mention_of[phrase.index]
        return None if number < 0 else key.mentions[number].original

    return entity


def _raw(prepared: Prepared, resolution: Resolution) -> Callable[[Phrase], Span | None]:
    """Where a phrase stands among the words of the input."""
    tokens = resolution.discourse.analysis.offsets
    alignment = TokenAlignment(tokens, prepared.given.offsets or ())
    return lambda phrase: alignment.span((phrase.start, phrase.end))


def _chains(resolution: Resolution, entity: Callable[[Phrase], E | None]) -> list[list[E]]:
    """The chains; an entity that several phrases stand for is in the first that has it."""
    phrases, taken = resolution.discourse.phrases, set[E]()
    result = []
    for chain in resolution.chains():
        found = [e for number in chain if (e := entity(phrases[number])) is not None]
        members = [e for e in dict.fromkeys(found) if e not in taken]
        taken.update(members)
        if len(members) > 1:
            result.append(members)
    return result


def _links(resolution: Resolution, entity: Callable[[Phrase], E | None]) -> dict[E, E]:
    """What every pronoun was resolved to."""
    phrases, found = resolution.discourse.phrases, dict[E, E]()
    for anaphor, antecedent in sorted(_decided(resolution).items()):
        one, other = entity(phrases[anaphor]), entity(phrases[antecedent])
        if one is not None and other is not None and one != other:
            found.setdefault(one, other)
    return found


def _decided(resolution: Resolution) -> dict[int, int]:
    """Pronouns and their antecedents, as phrases: those decided, then those that chains tell."""
    phrases = resolution.discourse.phrases
    decided = {
        decision.anaphor: decision.antecedent
        for decision in resolution.decisions
        if decision.antecedent is not None and phrases[decision.anaphor].pronoun is not None
    }
    for chain in resolution.chains():
        for before, number in pairwise(chain):
            if phrases[number].anaphoric:
                decided.setdefault(number, before)
    return {a: b for a, b in decided.items() if _is_asked(phrases[a])}


def _is_asked(phrase: Phrase) -> bool:
    return phrase.pronoun is not None and phrase.pronoun.is_anaphor
