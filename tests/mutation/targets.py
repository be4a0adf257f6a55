"""The packages that are mutated, and the tests that should fail."""

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
    "scoring/measures": ("tests/unit/scoring/measures", "src/corefbench/scoring/measures", *EXAMPLES),
    "scoring/policy": ("tests/unit/scoring/policy", *EXAMPLES),
    "scoring/matching": ("tests/unit/scoring/matching", "src/corefbench/scoring/matching", *EXAMPLES),
    "corpus": (
        "tests/unit/corpus/test_spans.py",
        "tests/unit/scoring/matching/test_exact.py",
        "tests/unit/scoring/policy",
        "tests/unit/scoring/measures/test_contingency.py",
        *EXAMPLES,
    ),
    "campaign/domain": ("tests/unit/campaign/domain", "src/corefbench/campaign/domain"),
    "scoring": (
        *(f"tests/unit/scoring/test_{name}.py" for name in ("api", "pairing", "overrides", "clusters", "pipeline")),
        "src/corefbench/scoring",
        *EXAMPLES,
    ),
}
"""Packages of corefbench → the tests that are run against their mutants."""
ONLY: dict[str, tuple[str, ...]] = {"corpus": ("spans",), "scoring": ("pairing", "clusters", "pipeline", "overrides")}
"""Packages of which only the modules are mutated that policies and matching rely on."""


def modules(package: str) -> list[Path]:
    """Return the modules of a package that are mutated."""
    return [
        path
        for path in sorted((SOURCE / package).glob("*.py"))
        if path.stem != "__init__" and (package not in ONLY or path.stem in ONLY[package])
    ]


def equivalents() -> dict[tuple[str, str, str], str]:
    """Return the mutants that behave like the module, with the reason."""
    listed = tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text("utf-8"))
    return {
        (entry["module"], entry["function"], change): entry["reason"]
        for entry in listed["equivalent"]
        for change in entry["changes"]
    }


def name(mutant: Mutant) -> tuple[str, str, str]:
    """Return the key of a mutant in the list of equivalents."""
    return mutant.module, mutant.function, mutant.change
