"""Responses side by side: where one is right and another wrong, first of all."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from corefbench.record import Record
from corefbench.runs.schema import Span
from corefbench.web.reading.cases import CASES, ERRORS
from corefbench.web.reading.mentions import Mentions
from corefbench.web.reading.prose import Prose
from corefbench.web.reading.strata import Kind, Kinds


class Stand(Record, frozen=True):
    """One response at one place."""

    mention: int
    """Among its mentions; -1 where it has none."""
    case: int
    """-1 where it has none: it leaves alone what another response has."""
    right: bool
    kind: str
    """The class of its error."""
    chosen: str


class Place(Record, frozen=True):
    """A mention of the key, or a span that only responses have."""

    span: Span
    text: str
    sentence: int
    expected: str
    type: str
    pronoun: str
    distance: str
    stands: tuple[Stand, ...]
    shown: bool = True
    """Whether it is what was asked for; a page hides the others."""

    @property
    def pattern(self) -> tuple[bool, ...]:
        """Who is right."""
        return tuple(stand.right for stand in self.stands)


class Group(Record, frozen=True):
    """Places at which responses stand to each other in one way."""

    name: str
    title: str
    places: tuple[Place, ...]
    total: int
    """How many are shown; the list may be cut."""


def places(prose: Prose, found: Sequence[Mentions], known: Sequence[Kinds]) -> tuple[Place, ...]:
    """All places that count for at least one response, in the order of the text."""
    rows = [dict(_rows(one)) for one in found]
    names = sorted({name for some in rows for name in some}, key=lambda name: (name[0], -name[1]))
    made = (_Seen(prose, found, known, rows).place(name) for name in names)
    return tuple(place for place in made if place is not None)


_Name = tuple[int, int, int]
"""A place: its span, and which of the key's mentions it is, or -1."""


def _rows(found: Mentions) -> Iterator[tuple[_Name, int]]:
    columns = zip(found.start, found.end, found.key_mention, strict=True)
    yield from ((name, number) for number, name in enumerate(columns))


class _Seen:
    def __init__(
        self,
        prose: Prose,
        found: Sequence[Mentions],
        known: Sequence[Kinds],
        rows: Sequence[Mapping[_Name, int]],
    ) -> None:
        self._prose, self._found, self._known, self._rows = prose, found, known, rows

    def place(self, name: _Name) -> Place | None:
        """What is there; None where nothing counts."""
        stands = tuple(self._stand(number, name) for number in range(len(self._found)))
        if not any(_counts(stand) for stand in stands):
            return None
        span = name[:2]
        nothing = Kind()
        kind = next((one.mentions[span] for one in self._known if span in one.mentions), nothing)
        return Place(
            span=span,
            text=self._prose.said(*span),
            sentence=self._prose.sentence(span[0]),
            expected=self._expected(name),
            type=kind.type,
            pronoun=kind.pronoun,
            distance=kind.sentences,
            stands=stands,
        )

    def _stand(self, number: int, name: _Name) -> Stand:
        found = self._found[number]
        mention = self._rows[number].get(name, -1)
        case = found.case[mention] if mention >= 0 else -1
        right = case < 0 or CASES[case].mark not in ERRORS
        kind = "" if right else self._known[number].errors.get(name[:2], CASES[case].name)
        chosen = found.chosen[mention] if mention >= 0 else -1
        said = self._prose.said(found.start[chosen], found.end[chosen]) if chosen >= 0 else ""
        return Stand(mention=mention, case=case, right=right, kind=kind, chosen=said)

    def _expected(self, name: _Name) -> str:
        for found, rows in zip(self._found, self._rows, strict=True):
            other = found.expected[rows[name]] if name in rows else -1
            if other >= 0:
                return self._prose.said(found.start[other], found.end[other])
        return ""


def _counts(stand: Stand) -> bool:
    return stand.case >= 0 and CASES[stand.case].mark not in ("uncounted", "alone")


def groups(found: Sequence[Place], names: Sequence[str], limit: int) -> tuple[Group, ...]:
    """The places by who is right: the first alone against others, others, nobody, everybody."""
    first, both = names[0], len(names) == 2
    rest = names[1] if both else "another"
    all_of = "both" if both else "all"
    tests: tuple[tuple[str, str, Callable[[tuple[bool, ...]], bool]], ...] = (
        ("first", f"{first} right, {rest} wrong", lambda p: p[0] and not all(p)),
        ("second", f"{first} wrong, {rest} right", lambda p: not p[0] and any(p)),
        ("none", f"{all_of} wrong", lambda p: not any(p)),
        ("every", f"{all_of} right", all),
    )
    made = []
    for name, title, test in tests:
        some = [place for place in found if test(place.pattern)]
        total = sum(place.shown for place in some)
        made.append(Group(name=name, title=title, places=tuple(some[:limit]), total=total))
    return tuple(made)
