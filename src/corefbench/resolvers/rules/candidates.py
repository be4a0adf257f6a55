"""Candidates: the phrases before an anaphor, and why some cannot be its antecedent.

A phrase precedes an anaphor if it begins before it. Phrases that refer to nothing are no
candidates. A candidate is dropped for the first reason of agreement, then for binding, so that
what passes the agreement filter can be counted whether or not binding applies.
"""

from collections.abc import Iterable, Iterator

from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.resolvers.base import Candidate, Dropped
from corefbench.resolvers.rules.binding import Binding, is_bound

REFERENCE_WINDOW = 2
"""Sentences before that of the anaphor in the shared reference set of candidates."""


def iter_preceding(discourse: Discourse, anaphor: Phrase, sentences: int | None = None) -> Iterator[Phrase]:
    """Yield the phrases that begin before an anaphor, the nearest first.

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


def drop_reason(anaphor: Phrase, phrase: Phrase, binding: Binding | None = None) -> Dropped:
    """Return why a phrase cannot be the antecedent: agreement, then binding; empty if it can.

    Without ``binding`` only a phrase that the anaphor is part of is dropped for syntax.
    """
    clash = anaphor.agreement.clash(phrase.agreement)
    if clash:
        return clash
    # Knowledge-poor systems have no binding theory; a phrase can still not refer to a part of itself.
    if binding is None:
        return "binding" if phrase.end > anaphor.start else ""
    if phrase.sentence != anaphor.sentence:
        return "binding" if is_bound(anaphor) else ""
    if is_bound(anaphor):
        return "" if binding.binds(phrase, anaphor) else "binding"
    return "binding" if binding.disjoint(anaphor, phrase) else ""


def judge_candidates(anaphor: Phrase, phrases: Iterable[Phrase], binding: Binding | None = None) -> list[Candidate]:
    """Return phrases as candidates in text order, with the reason why they were dropped.

    A reflexive that nothing binds may have any phrase of its sentence that agrees.
    """
    in_order = list(phrases)[::-1]
    reasons = [drop_reason(anaphor, phrase, binding) for phrase in in_order]
    # Parsers attach some reflexives wrongly: any agreeing phrase before it is then allowed.
    if is_bound(anaphor) and "" not in reasons:
        reasons = [
            "" if reason == "binding" and _ends_before(phrase, anaphor) else reason
            for phrase, reason in zip(in_order, reasons, strict=True)
        ]
    return [Candidate(phrase=phrase.index, dropped=reason) for phrase, reason in zip(in_order, reasons, strict=True)]


def _ends_before(phrase: Phrase, anaphor: Phrase) -> bool:
    """Whether it ends before an anaphor of its sentence begins."""
    return phrase.sentence == anaphor.sentence and phrase.end <= anaphor.start


def candidates_in_window(
    discourse: Discourse, anaphor: Phrase, sentences: int = REFERENCE_WINDOW, binding: Binding | None = None
) -> list[Candidate]:
    """Return the candidates of a window of sentences, also dropped ones, in text order.

    By default these are the candidates by which all resolvers are compared. What is critical or
    trivial to one resolver depends on its window; with this set it is the same for all. The measures
    ask for agreement alone; with ``binding`` its restrictions are noted too.
    """
    return judge_candidates(anaphor, iter_preceding(discourse, anaphor, sentences), binding)
