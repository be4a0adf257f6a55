"""How much a change of setting moves a score, in numbers and in sentences."""

from collections.abc import Iterable, Sequence
from math import floor

from corefbench.records import Record
from corefbench.scoring.measures import Score
from corefbench.scoring.profiles.profile import Rounding
from corefbench.scoring.result import Result


class ScoreChange(Record, frozen=True):
    """One measure before and after one change."""

    under: str
    """What both settings have in common: a profile, a response."""
    change: str
    """The change, as a gerund: *removing singletons from the key*."""
    before: str
    after: str
    """The names of the two settings."""
    measure: str
    """The title of the measure."""
    old: Score
    new: Score
    rounding: Rounding = "half-up"

    @property
    def points(self) -> float:
        """The difference of F1 in percentage points, between the figures as tables show them."""
        return self._moved(self.old.f1, self.new.f1)

    @property
    def is_visible(self) -> bool:
        """Whether recall, precision or F1 differ as tables show them."""
        old, new = self.old, self.new
        pairs = ((old.recall, new.recall), (old.precision, new.precision), (old.f1, new.f1))
        return any(self._moved(*pair) for pair in pairs)

    def __str__(self) -> str:
        """Return a sentence with the figures."""
        return f"{self._head()}: {self._parts()}."

    def _head(self) -> str:
        start = f"Under {self.under}, {self.change} ({self.before} → {self.after})"
        new = self._shown(self.new.f1)
        if not self.points:
            return f"{start} left {measure_name(self.measure)} F1 at {new:.2f}"
        verb = "raised" if self.points > 0 else "lowered"
        by = f"by {abs(self.points):.2f} points, from {self._shown(self.old.f1):.2f} to {new:.2f}"
        return f"{start} {verb} {measure_name(self.measure)} F1 {by}"

    def _parts(self) -> str:
        recall, precision = (
            self._clause(part, getattr(self.old, part), getattr(self.new, part)) for part in ("recall", "precision")
        )
        is_opposite = {"rose", "fell"} <= {*recall.split(), *precision.split()}
        return f"{recall}, {'while' if is_opposite else 'and'} {precision}"

    def _clause(self, name: str, old: float, new: float) -> str:
        moved = self._moved(old, new)
        if not moved:
            return f"{name} stayed at {self._shown(new):.2f}"
        verb = "rose" if moved > 0 else "fell"
        return f"{name} {verb} from {self._shown(old):.2f} to {self._shown(new):.2f}"

    def _moved(self, old: float, new: float) -> float:
        return round(self._shown(new) - self._shown(old), 2)

    def _shown(self, fraction: float) -> float:
        return to_percent(fraction, self.rounding)


def measure_name(measure: str) -> str:
    """Return the name of a measure within a sentence."""
    return "mention detection" if measure == "Mentions" else measure


def to_percent(fraction: float, rounding: Rounding = "half-up") -> float:
    """Return a fraction in per cent with the two decimals that tables show.

    >>> to_percent(0.66666), to_percent(0.66666, "truncate")
    (66.67, 66.66)
    """
    if rounding == "truncate":
        return int(fraction * 10000) / 100
    return floor(round(fraction * 10000, 6) + 0.5) / 100


def sort_by_change(changes: Iterable[ScoreChange]) -> tuple[ScoreChange, ...]:
    """Return the visible changes, the largest difference of F1 first."""
    visible = [change for change in changes if change.is_visible]
    return tuple(sorted(visible, key=lambda change: -abs(change.points)))


def join_words(words: Sequence[str]) -> str:
    """Join words as an English sentence lists them.

    >>> join_words(["MUC"]), join_words(["MUC", "B³"]), join_words(["MUC", "B³", "LEA"])
    ('MUC', 'MUC and B³', 'MUC, B³ and LEA')
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def count_noun(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count_noun(1, "mention"), count_noun(1200, "mention")
    ('1 mention', '1,200 mentions')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def measure_title(result: Result, name: str) -> str:
    """Return the title of a score in tables: its own name where a profile has variants."""
    measure = result.measures[name]
    return measure.card.title if measure.card.name == name else name.replace("_", " ")


def headline_score(result: Result) -> float:
    """Return the CoNLL average, or the F1 of the first measure without one, in per cent."""
    return to_percent((result.conll or result[next(iter(result))]).f1)
