"""The page that says what was seen of wheel, sdist and extras."""

from collections.abc import Sequence

from benchmarks.pages import table
from corefbench.record import Record
from recipes.packaging.contents import Archive
from recipes.packaging.smoke import LEFT_OUT

_HEAD = """# Packaging

Written by `make package`: wheel and sdist are built and held against the source tree, and the
wheel is installed in an environment of its own on every Python that is there, bare and with each
extra; then what the extra is for is tried. Without an extra the commands that need it must end with
exit code 4 and name it."""


class Seen(Record, frozen=True):
    """What came of one extra on one Python."""

    python: str
    extra: str
    trials: int = 0
    faults: tuple[str, ...] = ()
    left_out: str = ""

    def row(self) -> list[str]:
        """As a row of the table."""
        said = f"left out: {self.left_out}" if self.left_out else "; ".join(self.faults) or "passes"
        return [self.python, self.extra, str(self.trials) if self.trials else "–", said]


def few(faults: Sequence[str]) -> str:
    """The first faults, and how many more there are.

    >>> few(["a", "b", "c", "d"])
    'a; b; c; and 1 more'
    """
    rest = [f"and {len(faults) - 3} more"] if len(faults) > 3 else []
    return "; ".join([*faults[:3], *rest])


def page(archives: Sequence[Archive], seen: Sequence[Seen]) -> str:
    """The page."""
    made = [
        [
            one.name + note,
            f"{one.bytes / 1e6:.1f} MB",
            f"{one.files:,}",
            few(one.faults) or "none",
        ]
        for one, note in zip(archives, ("", "", ", built from the sdist"), strict=True)
    ]
    others = "\n".join(f"- `{name}`: {why}." for name, why in LEFT_OUT.items())
    rows = [one.row() for one in seen]
    return (
        "\n\n".join(
            [
                _HEAD,
                table(["file", "size", "files", "missing or stray"], made),
                table(["Python", "extra", "commands", "result"], rows),
                f"Extras that are not tried:\n\n{others}",
            ]
        )
        + "\n"
    )
