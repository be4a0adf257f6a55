"""What a comparison holds: plain values that programs may keep."""

from string import ascii_lowercase

from corefbench.analysis.comparison.sampled import Part
from corefbench.analysis.comparison.settings import Settings
from corefbench.display import as_html
from corefbench.judging.success import Rate
from corefbench.profiles.profile import Rounding
from corefbench.record import Record
from corefbench.version import __version__


class Estimate(Record, frozen=True):
    """A score and its confidence interval, as fractions."""

    value: float
    low: float | None = None
    high: float | None = None


class Difference(Record, frozen=True):
    """First system minus second, with its interval: the effect and how surely it is there."""

    value: float
    low: float | None = None
    high: float | None = None
    p: float | None = None
    """None where no test is possible: one document."""
    adjusted: float | None = None
    wins: int = 0
    """Documents in which the first scores higher …"""
    ties: int = 0
    losses: int = 0
    """… and in which the second does."""


class PronounTest(Record, frozen=True):
    """McNemar's test on the pronouns that both systems decided."""

    only_first: int
    """Pronouns that only the first resolved rightly …"""
    only_second: int
    p: float
    adjusted: float


class System(Record, frozen=True):
    """One system on all documents."""

    name: str
    mark: str
    """The letters that stand for it in tables."""
    signature: str
    scores: dict[str, dict[Part, Estimate]]
    by_document: dict[str, tuple[float, ...]]
    """F1 of each score, document after document."""
    pronouns: Rate | None = None


class Pair(Record, frozen=True):
    """Two systems, and by how much they differ."""

    first: str
    second: str
    scores: dict[str, dict[Part, Difference]]
    pronouns: PronounTest | None = None


class Comparison(Record, frozen=True):
    """Systems and all pairs of them."""

    title: str
    """What they were scored by."""
    settings: Settings
    exact: bool
    """Whether all ways to swap documents were tried."""
    documents: tuple[str, ...]
    titles: dict[str, str]
    """Of the scores."""
    systems: tuple[System, ...]
    pairs: tuple[Pair, ...]
    cites: tuple[str, ...]
    """The works behind profile, measures and tests."""
    rounding: Rounding = "half-up"
    version: str = __version__

    def _repr_html_(self) -> str:
        return as_html(self)

    @property
    def signature(self) -> str:
        """All that the tests depend on but the scores themselves, in one line."""
        settings = self.settings
        fields = {
            "test": settings.test,
            "samples": "all" if self.exact else str(settings.samples),
            "seed": str(settings.seed),
            "confidence": f"{settings.confidence:g}",
            "alpha": f"{settings.alpha:g}",
            "correction": settings.correction,
            "family": settings.family,
            "systems": str(len(self.systems)),
            "documents": str(len(self.documents)),
            "version": self.version,
        }
        return "|".join(["comparison", *(f"{name}:{value}" for name, value in fields.items())])

    @property
    def is_tested(self) -> bool:
        """Whether there were documents enough to resample."""
        return len(self.documents) > 1

    def __getitem__(self, name: str) -> System:
        for system in self.systems:
            if system.name == name:
                return system
        raise KeyError(name)

    def pair(self, first: str, second: str) -> Pair:
        """The pair of two systems, in the order in which they were given."""
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair
        raise KeyError((first, second))

    def beaten(self, name: str, score: str, part: Part = "f1") -> tuple[str, ...]:
        """The systems that this one is significantly better than."""
        return tuple(
            pair.second if pair.first == name else pair.first
            for pair in self.pairs
            if name in (pair.first, pair.second)
            and self.is_significant(pair.scores[score][part])
            and (pair.scores[score][part].value > 0) == (pair.first == name)
        )

    def is_significant(self, difference: Difference | PronounTest) -> bool:
        """Whether the adjusted p is no more than α."""
        return difference.adjusted is not None and difference.adjusted <= self.settings.alpha


def mark(number: int) -> str:
    """The letters of the n-th system, counted from 0, as spreadsheets name columns.

    >>> [mark(number) for number in (0, 25, 26, 27, 701, 702)]
    ['a', 'z', 'aa', 'ab', 'zz', 'aaa']
    """
    letters = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        letters = ascii_lowercase[letter] + letters
    return letters
