"""The phrases before an anaphor that may be its antecedent, and why others may not.

A phrase precedes an anaphor if it begins before it. Phrases that refer to nothing are no
candidates. A candidate is dropped for the first reason of agreement, then for binding, so that
what passes the agreement filter can be counted whether or not binding applies.
"""

from collections.abc import Iterable, Iterator

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase
from corefbench.resolvers.resolution import Candidate, Dropped
from corefbench.resolvers.rules.binding import Binding, is_bound

REFERENCE_WINDOW = 2
"""How many sentences before that of the anaphor the shared reference looks at."""


def preceding(
    discourse: Discourse, anaphor: Phrase, sentences: int | None = None
) -> Iterator[Phrase]:
    """The phrases that begin before an anaphor, the nearest first.

    ``sentences`` is how many sentences before that of the anaphor are looked at; None: all.
    """
    first = 0 if sentences is None else anaphor.sentence - sentences
    phrases = discourse.phrases
    for index in range(anaphor.index - 1, -1, -1):
        phrase = phrases[index]
        if phrase.sentence < first:
            return
        if phrase.start < anaphor.start and not phrase.pleonastic:
            yield phrase


def reason(anaphor: Phrase, phrase: Phrase, binding: Binding | None = None) -> Dropped:
    """Why a phrase cannot be the antecedent: agreement, then binding; empty if it can be.

    Without ``binding`` only a phrase that the anaphor is part of is dropped for syntax.
    """
    clash = anaphor.agreement.clash(phrase.agreement)
    if clash:
        return clash
    if binding is None:
        return "binding" if phrase.end > anaphor.start else ""
    if phrase.sentence != anaphor.sentence:
        return "binding" if is_bound(anaphor) else ""
    if is_bound(anaphor):
        return "" if binding.binds(phrase, anaphor) else "binding"
    return "binding" if binding.disjoint(anaphor, phrase) else ""


def judged(
    anaphor: Phrase, phrases: Iterable[Phrase], binding: Binding | None = None
) -> list[Candidate]:
    """Phrases as candidates, in text order, each with the reason why it was dropped.

    A reflexive that nothing binds may have any phrase of its sentence that agrees.
    """
    listed = list(phrases)[::-1]
    reasons = [reason(anaphor, phrase, binding) for phrase in listed]
    if is_bound(anaphor) and "" not in reasons:
        reasons = [
            "" if why == "binding" and _before(phrase, anaphor) else why
            for phrase, why in zip(listed, reasons, strict=True)
        ]
    return [
        Candidate(phrase=phrase.index, dropped=why)
        for phrase, why in zip(listed, reasons, strict=True)
    ]


def _before(phrase: Phrase, anaphor: Phrase) -> bool:
    """Whether it ends before an anaphor of its sentence begins."""
    return phrase.sentence == anaphor.sentence and phrase.end <= anaphor.start


def candidates_in(
    discourse: Discourse, anaphor: Phrase, sentences: int | None, binding: Binding | None = None
) -> list[Candidate]:
    """The candidates of a window of sentences, the dropped ones too, in text order."""
    return judged(anaphor, preceding(discourse, anaphor, sentences), binding)


def reference_candidates(
    discourse: Discourse, anaphor: Phrase, binding: Binding | None = None
) -> list[Candidate]:
    """The candidates by which all resolvers are compared: of the anaphor's sentence and two before.

    What is critical or trivial to one resolver depends on its window; with this set it is the same
    for all. The measures ask for agreement alone; with ``binding`` its restrictions are noted too.
    """
    return candidates_in(discourse, anaphor, REFERENCE_WINDOW, binding)
