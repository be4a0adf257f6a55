"""What is mutated, and the tests that ought to notice."""

import tomllib
from pathlib import Path

from tests.mutation.mutants import Mutant

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "corefbench"
EXAMPLES = (
    "tests/golden/test_definitions_in_circulation.py",
    "tests/golden/test_worked_example.py",
    "tests/golden/test_scoring_levels.py",
)
"""Whole scores from papers and other programs, quick to compute."""
TARGETS: dict[str, tuple[str, ...]] = {
    "measures": ("tests/unit/measures", "src/corefbench/measures", *EXAMPLES),
    "policy": ("tests/unit/policy", *EXAMPLES),
    "matching": ("tests/unit/matching", "src/corefbench/matching", *EXAMPLES),
    "campaign/domain": ("tests/unit/campaign/domain", "src/corefbench/campaign/domain"),
    "scoring": (
        *(
            f"tests/unit/scoring/test_{name}.py"
            for name in ("api", "pairing", "aligned", "choosing", "clusters", "evaluate")
        ),
        "src/corefbench/scoring",
        *EXAMPLES,
    ),
}
"""Packages of corefbench → the tests that are run against their mutants."""
SCORING = ("aligned", "pairing", "clusters", "evaluate", "choosing")
"""Of scoring only the modules in which policies are applied."""


def modules(package: str) -> list[Path]:
    """The modules of a package that are mutated."""
    return [
        path
        for path in sorted((SOURCE / package).glob("*.py"))
        if path.stem != "__init__" and (package != "scoring" or path.stem in SCORING)
    ]


def equivalents() -> dict[tuple[str, str, str], str]:
    """Mutants that no test can tell from the module, with the reason."""
    listed = tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text("utf-8"))
    return {
        (one["module"], one["function"], change): one["reason"]
        for one in listed["equivalent"]
        for change in one["changes"]
    }


def name(mutant: Mutant) -> tuple[str, str, str]:
    """By what the list of equivalents knows a mutant."""
    return mutant.module, mutant.function, mutant.change
