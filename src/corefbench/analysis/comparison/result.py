"""The settings and the result of a comparison."""

from typing import Literal, TypeAlias

from corefbench.analysis.significance import CORRECTIONS, Correction
from corefbench.analysis.statistics.counts import Rate
from corefbench.display import as_html
from corefbench.errors import UnknownName, UsageError
from corefbench.records import Record
from corefbench.scoring.profiles.profile import Rounding
from corefbench.version import __version__

Part: TypeAlias = Literal["recall", "precision", "f1"]
PARTS: tuple[Part, ...] = ("recall", "precision", "f1")
CONLL = "conll"
PRONOUNS = "pronouns"
Test: TypeAlias = Literal["randomization", "bootstrap"]
TESTS: tuple[Test, ...] = ("randomization", "bootstrap")
Family: TypeAlias = Literal["measure", "all"]
FAMILIES: tuple[Family, ...] = ("measure", "all")

_CITES = {
    "randomization": ("yeh2000", "efron1979"),
    "bootstrap": ("efron1979", "koehn2004", "berg-kirkpatrick2012"),
    "holm": ("holm1979",),
    "bh": ("benjamini1995",),
}


class Settings(Record, frozen=True):
    """Settings of the tests and intervals."""

    test: Test = "randomization"
    samples: int = 10_000
    seed: int = 0
    confidence: float = 0.95
    """The share of resamples within an interval."""
    alpha: float = 0.05
    """A difference is significant where its adjusted p is no more than this."""
    correction: Correction = "holm"
    family: Family = "measure"
    """``measure``: each figure over all pairs. ``all``: all measures and pairs, R, P, F1 apart."""

    def check(self) -> None:
        """Raise if a setting is invalid."""
        for kind, name, choices in (
            ("test", self.test, TESTS),
            ("correction", self.correction, CORRECTIONS),
            ("family", self.family, FAMILIES),
        ):
            if name not in choices:
                raise UnknownName(kind, name, list(choices))
        if self.samples < 1 or self.seed < 0:
            raise UsageError(
                "resampling needs a number of samples and a seed",
                found=f"{self.samples} samples, seed {self.seed}",
                expected="at least 1 sample, a seed from 0 upwards",
            )
        for level in ("confidence", "alpha"):
            if not 0 < getattr(self, level) < 1:
                raise UsageError(
                    f"invalid {level}",
                    found=f"{getattr(self, level):g}",
                    expected="between 0 and 1, such as 0.95 for confidence or 0.05 for alpha",
                )

    @property
    def cites(self) -> tuple[str, ...]:
        """Citation keys of the test and the correction."""
        return _CITES[self.test] + _CITES.get(self.correction, ())


class Estimate(Record, frozen=True):
    """A score and its confidence interval, as fractions."""

    value: float
    low: float | None = None
    high: float | None = None


class Difference(Estimate, frozen=True):
    """First system minus second, with interval and p-value."""

    p: float | None = None
    """None if no test is possible: one document."""
    adjusted: float | None = None
    wins: int = 0
    """Documents in which the first scores higher …"""
    ties: int = 0
    losses: int = 0
    """… and in which the second does."""


class PronounTest(Record, frozen=True):
    """McNemar's test on the pronouns that both systems decided."""

    only_first: int
    """Pronouns that only the first resolved correctly …"""
    only_second: int
    p: float
    adjusted: float


class System(Record, frozen=True):
    """The scores of one system."""

    name: str
    mark: str
    """Its letters in tables."""
    signature: str
    scores: dict[str, dict[Part, Estimate]]
    by_document: dict[str, tuple[float, ...]]
    """F1 of each score by document."""
    pronouns: Rate | None = None


class Pair(Record, frozen=True):
    """The differences of two systems."""

    first: str
    second: str
    scores: dict[str, dict[Part, Difference]]
    pronouns: PronounTest | None = None


class Comparison(Record, frozen=True):
    """Systems and all pairs of them."""

    title: str
    """The title of the profile."""
    settings: Settings
    exact: bool
    """Whether all ways to swap documents were tested."""
    documents: tuple[str, ...]
    titles: dict[str, str]
    """Titles of the scores."""
    systems: tuple[System, ...]
    pairs: tuple[Pair, ...]
    cites: tuple[str, ...]
    """Citation keys of profile, measures and tests."""
    rounding: Rounding = "half-up"
    version: str = __version__

    def _repr_html_(self) -> str:
        return as_html(self)

    @property
    def signature(self) -> str:
        """The settings that the tests depend on, in one line."""
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
        """Whether there were enough documents to resample."""
        return len(self.documents) > 1

    def __getitem__(self, name: str) -> System:
        for system in self.systems:
            if system.name == name:
                return system
        raise KeyError(name)

    def pair(self, first: str, second: str) -> Pair:
        """Return the pair of two systems, in the order in which they were given."""
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair
        raise KeyError((first, second))

    def beaten(self, name: str, score: str, part: Part = "f1") -> tuple[str, ...]:
        """Return the systems that this one is significantly better than."""
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
