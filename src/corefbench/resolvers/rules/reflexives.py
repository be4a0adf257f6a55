"""Reflexives and reciprocals: bound in their own clause, most often by its subject."""

from collections.abc import Iterable

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.rules.binding import Binding


def bound_by(
    discourse: Discourse,
    binding: Binding,
    anaphor: Phrase,
    agreeing: Iterable[Phrase],
    *,
    subjects: bool = True,
) -> Phrase | None:
    """The antecedent of a reflexive among the phrases of its sentence that agree with it.

    What it stresses (*the president himself*), else the nearest subject that binds it, else the
    nearest phrase that does, else the nearest phrase before it. ``agreeing`` has the nearest first;
    without ``subjects`` these have no precedence.
    """
    phrases = list(agreeing)
    binders = [phrase for phrase in phrases if binding.binds(phrase, anaphor)]
    governor = discourse.analysis.heads[anaphor.head]
    for phrase in binders:
        if phrase.head == governor and not phrase.coordination:
            return phrase
    preferred = [phrase for phrase in binders if subjects and phrase.function == "subject"]
    before = [phrase for phrase in phrases if phrase.end <= anaphor.start]
    return next(iter((*preferred, *binders, *before)), None)
