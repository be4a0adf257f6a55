"""By how much a change of setting moved a measure, and the same in words."""

from collections.abc import Iterable, Sequence
from math import floor

from corefbench.measures import Score
from corefbench.profiles.profile import Rounding
from corefbench.record import Record


class Movement(Record, frozen=True):
    """One measure before and after one change."""

    under: str
    """What stayed the same: a profile, a response."""
    change: str
    """What was done, as a gerund: *removing singletons from the key*."""
    before: str
    after: str
    """The names of the two settings."""
    measure: str
    """Its title."""
    old: Score
    new: Score
    rounding: Rounding = "half-up"

    @property
    def points(self) -> float:
        """By how many points of per cent F1 moved, between the figures as they are shown."""
        return self._moved(self.old.f1, self.new.f1)

    @property
    def is_one(self) -> bool:
        """Whether anything is seen to move, be it only recall and precision."""
        old, new = self.old, self.new
        pairs = ((old.recall, new.recall), (old.precision, new.precision), (old.f1, new.f1))
        return any(self._moved(*pair) for pair in pairs)

    def __str__(self) -> str:
        """A sentence with the figures."""
        return f"{self._head()}: {self._parts()}."

    def _head(self) -> str:
        start = f"Under {self.under}, {self.change} ({self.before} → {self.after})"
        new = self._shown(self.new.f1)
        if not self.points:
            return f"{start} left {named(self.measure)} F1 at {new:.2f}"
        verb = "raised" if self.points > 0 else "lowered"
        by = f"by {abs(self.points):.2f} points, from {self._shown(self.old.f1):.2f} to {new:.2f}"
        return f"{start} {verb} {named(self.measure)} F1 {by}"

    def _parts(self) -> str:
        recall, precision = (
            self._clause(part, getattr(self.old, part), getattr(self.new, part))
            for part in ("recall", "precision")
        )
        opposite = ("rose" in recall and "fell" in precision) or (
            "fell" in recall and "rose" in precision
        )
        return f"{recall}, {'while' if opposite else 'and'} {precision}"

    def _clause(self, name: str, old: float, new: float) -> str:
        moved = self._moved(old, new)
        if not moved:
            return f"{name} stayed at {self._shown(new):.2f}"
        verb = "rose" if moved > 0 else "fell"
        return f"{name} {verb} from {self._shown(old):.2f} to {self._shown(new):.2f}"

    def _moved(self, old: float, new: float) -> float:
        return round(self._shown(new) - self._shown(old), 2)

    def _shown(self, fraction: float) -> float:
        return shown(fraction, self.rounding)


def named(measure: str) -> str:
    """What a sentence calls a measure whose title is a plain word."""
    return "mention detection" if measure == "Mentions" else measure


def shown(fraction: float, rounding: Rounding = "half-up") -> float:
    """A fraction in per cent with the two decimals that tables show.

    >>> shown(0.66666), shown(0.66666, "truncate")
    (66.67, 66.66)
    """
    if rounding == "truncate":
        return int(fraction * 10000) / 100
    return floor(round(fraction * 10000, 6) + 0.5) / 100


def largest_first(movements: Iterable[Movement]) -> tuple[Movement, ...]:
    """Those that are seen to move, by what F1 moved."""
    return tuple(sorted((m for m in movements if m.is_one), key=lambda m: -abs(m.points)))


def listed(words: Sequence[str]) -> str:
    """Words as a sentence lists them.

    >>> listed(["MUC"]), listed(["MUC", "B³"]), listed(["MUC", "B³", "LEA"])
    ('MUC', 'MUC and B³', 'MUC, B³ and LEA')
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "mention"), counted(1200, "mention")
    ('1 mention', '1,200 mentions')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
