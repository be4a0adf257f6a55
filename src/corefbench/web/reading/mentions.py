"""The mentions of key and response as one list, each with what became of it.

A third-person pronoun that neither side has is in the list too, because readers ask about it.
"""

from collections import Counter

import numpy as np

from corefbench.record import Longs, Record
from corefbench.runs.marks import marks
from corefbench.runs.schema import Marked, RunDocument, Span, Twinned
from corefbench.web.reading.cases import CASES, ERRORS, Mark
from corefbench.web.reading.decisions import decisions, judge
from corefbench.web.reading.forms import pronouns, third_person
from corefbench.web.reading.places import places
from corefbench.web.reading.rows import rows

_LETTERS: dict[Mark, str] = {
    "right": "r",
    "wrong": "w",
    "missed": "o",
    "spurious": "s",
    "uncounted": "u",
    "alone": "a",
}
_CLASSES = tuple((f"m {_LETTERS[c.mark]}", f"m {_LETTERS[c.mark]} p") for c in CASES)
_WRONG = frozenset(number for number, case in enumerate(CASES) if case.mark in ERRORS)


class Mentions(Record, frozen=True):
    """In the order of the text, longer ones first; all lists are in step."""

    start: tuple[int, ...] = ()
    end: tuple[int, ...] = ()
    case: tuple[int, ...] = ()
    """A place in the list of cases."""
    key: tuple[int, ...] = ()
    """The chain of the key, -1 for none."""
    response: tuple[int, ...] = ()
    """The chain of the response, -1 for none."""
    chosen: tuple[int, ...] = ()
    """The antecedent that the response has: a mention of this list, -1 for none."""
    expected: tuple[int, ...] = ()
    """The nearest one of the key."""
    pronoun: tuple[int, ...] = ()
    """0 for no pronoun, 1 for a third-person pronoun, 2 for another."""
    parts: dict[int, tuple[Span, ...]] = {}  # noqa: RUF012
    """Of discontinuous ones."""
    key_mention: tuple[int, ...] = ()
    """The number among the key's mentions, -1 for none …"""
    response_mention: tuple[int, ...] = ()
    """… and among those of the response."""

    def __len__(self) -> int:
        return len(self.start)

    def classes(self) -> list[str]:
        """How a page marks them: ``m w p`` is a mention, wrong, a third-person pronoun."""
        return [
            _CLASSES[case][pronoun == 1]
            for case, pronoun in zip(self.case, self.pronoun, strict=True)
        ]

    def is_error(self, mention: int) -> bool:
        """Whether something is wrong with it."""
        return self.case[mention] in _WRONG

    def errors(self, *, pronouns: bool = False) -> list[int]:
        """Those with which something is wrong, or the third-person pronouns among them."""
        wrong = [number for number, case in enumerate(self.case) if case in _WRONG]
        return [number for number in wrong if self.pronoun[number] == 1] if pronouns else wrong

    def counts(self, *, pronouns: bool = False) -> dict[str, int]:
        """How many mentions, or third-person pronouns, there are of every mark."""
        found = Counter(zip(self.case, self.pronoun, strict=True))
        made: dict[str, int] = {case.mark: 0 for case in CASES}
        for (case, pronoun), count in found.items():
            if pronoun == 1 or not pronouns:
                made[CASES[case].mark] += count
        return made


def mentions(document: RunDocument, response: str) -> Mentions:
    """All mentions of a document as its key and one response have them."""
    layer = document.responses.get(response)
    shown = document.key or layer
    key = document.key.mentions if document.key is not None else Marked()
    answer = layer.mentions if layer is not None else Marked()
    words = (shown.tokens.words if shown is not None else None) or ()
    asked, answered = places(key, document.key, shown), places(answer, layer, shown)
    found = marks(document, response)
    uncounted = np.array([mark == "uncounted" for mark in found.key], np.bool_)
    twins = document.matched.get(response, Twinned()).twins
    made = rows(asked, answered, twins, uncounted, third_person(words))
    decided = decisions(made, key.chain, answer.chain, found)
    reasons = {one.anaphor: one for one in document.reasons.get(response, ())}
    if reasons:
        judge(made, decided, reasons, answered.spans())
    return Mentions(
        start=_tuple(made.start),
        end=_tuple(made.end),
        case=_tuple(decided.case),
        key=_chains(key, made.key),
        response=_chains(answer, made.response),
        chosen=_tuple(decided.chosen),
        expected=_tuple(decided.expected),
        pronoun=tuple(pronouns(words, made.start.tolist(), made.end.tolist())),
        parts=made.parts(asked, answered),
        key_mention=_tuple(made.key),
        response_mention=_tuple(made.response),
    )


def _tuple(numbers: Longs) -> tuple[int, ...]:
    return tuple(numbers.tolist())


def _chains(marked: Marked, mentions: Longs) -> tuple[int, ...]:
    """The chain of each mention, -1 for none."""
    return _tuple(np.array((*marked.chain, -1), np.int64)[mentions])
