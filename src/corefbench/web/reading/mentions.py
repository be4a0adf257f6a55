"""The mentions of key and response as one list, each with what became of it.

A mention that both sides have is one; it stands where the key has it. A third-person pronoun that
neither side has is in the list too, because readers ask about it. Pronouns that a comparison of
resolvers has judged are marked as success rate counts them: by the antecedent that was chosen.
All others are marked as runs mark them.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from corefbench.bench.reasons import Reason
from corefbench.language.pronouns import THIRD_PERSON, lookup
from corefbench.record import Record
from corefbench.runs.marks import Marks, marks
from corefbench.runs.schema import Layer, Marked, RunDocument, Span, Twinned, Words
from corefbench.web.reading.cases import CASES, ERRORS, NUMBER, Mark

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
    return _Gathering(document, response).made()


_Row: TypeAlias = tuple[int, int, int, int]
"""Start, minus the end, and the numbers of the mention in key and response, -1 for none."""


class _Gathering:
    def __init__(self, document: RunDocument, response: str) -> None:
        layer = document.responses.get(response)
        shown = document.key or layer
        self._words = (shown.tokens.words if shown is not None else None) or ()
        self._key = document.key.mentions if document.key is not None else Marked()
        self._answer = layer.mentions if layer is not None else Marked()
        self._found: Marks = marks(document, response)
        self._twins = document.matched.get(response, Twinned()).twins
        self._reasons = {one.anaphor: one for one in document.reasons.get(response, ())}
        self._parts = _parts(self._answer, layer, shown)
        self._spans = [(parts[0][0], parts[-1][1]) for parts in self._parts]
        self._key_spans = list(zip(self._key.start, self._key.end, strict=True))

    def made(self) -> Mentions:
        rows = self._rows()
        taken = {(start, -end) for start, end, _, _ in rows}
        rows += [
            (token, -1 - token, -1, -1)
            for token, word in enumerate(self._words)
            if word.lower() in THIRD_PERSON and (token, token + 1) not in taken
        ]
        rows.sort()
        decided = _Decisions(self, rows)
        return Mentions(
            start=tuple(row[0] for row in rows),
            end=tuple(-row[1] for row in rows),
            case=tuple(decided.case),
            key=_at(self._key.chain, [row[2] for row in rows]),
            response=_at(self._answer.chain, [row[3] for row in rows]),
            chosen=tuple(decided.chosen),
            expected=tuple(decided.expected),
            pronoun=tuple(_pronoun(self._words, row[0], -row[1]) for row in rows),
            parts=self._discontinuous(rows),
            key_mention=tuple(row[2] for row in rows),
            response_mention=tuple(row[3] for row in rows),
        )

    def _rows(self) -> list[_Row]:
        """Those of the key with their twins, then those that only the response has."""
        answers: dict[int, int] = {}
        for mention, twin in enumerate(self._twins):
            if twin >= 0:
                answers.setdefault(twin, mention)
        self._join_uncounted(answers)
        made = [(a, -b, n, answers.get(n, -1)) for n, (a, b) in enumerate(self._key_spans)]
        placed = set(answers.values())
        return made + [(a, -b, -1, n) for n, (a, b) in enumerate(self._spans) if n not in placed]

    def _join_uncounted(self, answers: dict[int, int]) -> None:
        """A singleton of the key that the profile strips is the same as one that is answered."""
        out = {
            self._key_spans[number]: number
            for number, mark in enumerate(self._found.key)
            if mark == "uncounted"
        }
        placed = set(answers.values())
        for mention, span in enumerate(self._spans) if out else ():
            if mention not in placed and span in out:
                answers.setdefault(out.pop(span), mention)

    def _discontinuous(self, rows: list[_Row]) -> dict[int, tuple[Span, ...]]:
        made = {}
        for number, (_, _, key, response) in enumerate(rows):
            parts = ()  # type: tuple[Span, ...]
            if key >= 0:
                parts = self._key.parts[key] if self._key.parts is not None else ()
            elif response >= 0:
                parts = self._parts[response]
            if len(parts) > 1:
                made[number] = parts
        return made

    def reason(self, row: _Row) -> Reason | None:
        """Why the resolver decided, where it decided about this mention."""
        found = self._reasons.get((row[0], -row[1]))
        if found is None and row[3] >= 0:
            found = self._reasons.get(self._spans[row[3]])
        return found

    def case(self, row: _Row, reason: Reason | None, *, anaphoric: bool, linked: bool) -> int:
        """What became of a mention; ``anaphoric`` in the key, ``linked`` in the response."""
        _, _, key, response = row
        if reason is not None and reason.correct is not None:
            if reason.correct:
                return _LINK
            if reason.antecedent is not None and key >= 0:
                return _WRONG_LINK if anaphoric else _FALSE_LINK
        if key < 0 and response < 0:
            return _ALONE
        mark = self._found.key[key] if key >= 0 else self._found.response[response]
        if mark == "right":
            return _LINK if linked else _FIRST
        if mark == "wrong":
            return (_WRONG_LINK if anaphoric else _FALSE_LINK) if linked else _FALSE_NEW
        if mark == "uncounted" and response >= 0 and self._found.response[response] == "spurious":
            return _SINGLE
        return NUMBER[mark]


_FIRST, _LINK, _FALSE_NEW = NUMBER["first"], NUMBER["link"], NUMBER["false-new"]
_FALSE_LINK, _WRONG_LINK = NUMBER["false-link"], NUMBER["wrong-link"]
_ALONE, _SINGLE = NUMBER["alone"], NUMBER["single"]


class _Decisions:
    """For every row its case, and the rows of the antecedents."""

    def __init__(self, given: _Gathering, rows: list[_Row]) -> None:
        key_before, before = _before(given._key.chain), _before(given._answer.chain)
        of_key = {row[2]: number for number, row in enumerate(rows)}
        of_response = {row[3]: number for number, row in enumerate(rows)}
        of_key[-1] = of_response[-1] = -1
        places = self._places(given, rows, of_response) if given._reasons else {}
        self.case: list[int] = []
        self.chosen: list[int] = []
        self.expected: list[int] = []
        for row in rows:
            earlier = key_before[row[2]] if row[2] >= 0 else -1
            link = before[row[3]] if row[3] >= 0 else -1
            reason = given.reason(row) if places else None
            self.case.append(given.case(row, reason, anaphoric=earlier >= 0, linked=link >= 0))
            picked = of_response[link]
            if reason is not None and reason.antecedent is not None:
                picked = places.get(reason.antecedent, picked)
            self.chosen.append(picked)
            self.expected.append(of_key[earlier])

    def _places(
        self, given: _Gathering, rows: list[_Row], of_response: dict[int, int]
    ) -> dict[Span, int]:
        """What is where; a twin may stand elsewhere than the key has it."""
        made: dict[Span, int] = {}
        for number, row in enumerate(rows):
            made.setdefault((row[0], -row[1]), number)
        for mention, span in enumerate(given._spans):
            made.setdefault(span, of_response[mention])
        return made


def _at(values: Sequence[int], places: list[int]) -> tuple[int, ...]:
    return tuple(values[place] if place >= 0 else -1 for place in places)


def _parts(marked: Marked, layer: Layer | None, shown: Layer | None) -> Sequence[tuple[Span, ...]]:
    """The parts in the tokens that are shown: a response may have other empty nodes."""
    spans = zip(marked.start, marked.end, strict=True)
    places = marked.parts if marked.parts is not None else [(span,) for span in spans]
    if layer is None or shown is None or layer.tokens.count == shown.tokens.count:
        return places
    count = shown.tokens.count
    where = {ordinal: token for token, ordinal in enumerate(_written(shown.tokens))}
    moved = [min(where.get(ordinal, count - 1), count - 1) for ordinal in _written(layer.tokens)]
    return [tuple((moved[a], moved[b - 1] + 1) for a, b in parts) for parts in places]


def _written(tokens: Words) -> list[float]:
    """The number of each token among those that are written; empty nodes stand between."""
    empty, seen, made = set(tokens.empty or ()), 0, []
    for token in range(tokens.count):
        made.append(seen - 0.5 if token in empty else float(seen))
        seen += token not in empty
    return made


def _pronoun(words: Sequence[str], start: int, end: int) -> int:
    if end - start > 2 or not words:
        return 0
    if end - start == 1 and words[start].lower() in THIRD_PERSON:
        return 1
    return 2 if lookup(" ".join(words[start:end])) is not None else 0


def _before(chains: Sequence[int]) -> list[int]:
    """For each mention the one before it in its chain, -1 for none."""
    last: dict[int, int] = {}
    found = []
    for mention, chain in enumerate(chains):
        found.append(last.get(chain, -1))
        last[chain] = mention
    return found
