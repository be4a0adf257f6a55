"""How systems are compared: test, resamples, seed, levels, correction and its family."""

from typing import Literal, TypeAlias

from corefbench.errors import UnknownName, UsageError
from corefbench.record import Record
from corefbench.stats.corrections import CORRECTIONS, Correction

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
    """All that p-values and intervals depend on but the data; 0 is a seed."""

    test: Test = "randomization"
    samples: int = 10_000
    seed: int = 0
    confidence: float = 0.95
    """The share of resamples that an interval holds."""
    alpha: float = 0.05
    """A difference is significant where its adjusted p is no more than this."""
    correction: Correction = "holm"
    family: Family = "measure"
    """``measure``: each figure over all pairs. ``all``: all measures and pairs, R, P, F1 apart."""

    def check(self) -> None:
        """Refuse what makes no sense."""
        for kind, name, known in (
            ("test", self.test, TESTS),
            ("correction", self.correction, CORRECTIONS),
            ("family", self.family, FAMILIES),
        ):
            if name not in known:
                raise UnknownName(kind, name, list(known))
        if self.samples < 1 or self.seed < 0:
            raise UsageError(
                "resampling needs a number of samples and a seed",
                found=f"{self.samples} samples, seed {self.seed}",
                expected="at least 1 sample, a seed from 0 upwards",
            )
        for level in ("confidence", "alpha"):
            if not 0 < getattr(self, level) < 1:
                raise UsageError(
                    f"there is no such {level}",
                    found=f"{getattr(self, level):g}",
                    expected="between 0 and 1, such as 0.95 for confidence or 0.05 for alpha",
                )

    @property
    def cites(self) -> tuple[str, ...]:
        """The works that the test and the correction are from."""
        return _CITES[self.test] + _CITES.get(self.correction, ())
