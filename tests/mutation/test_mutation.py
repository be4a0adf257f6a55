"""The mutation tool notices what tests miss, and only that."""

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.mutation.mutants import apply_mutant, mutants
from tests.mutation.report import page, score
from tests.mutation.targets import ROOT, SOURCE, TARGETS, equivalents, modules, name

SOURCE_TEXT = '''"""A module."""

LIMIT = 3


def larger(a: int, b: int) -> int:
    """The larger of the two."""
    return a if a > b else b


def few(number: int) -> bool:
    return number < LIMIT


def unseen(number: int) -> int:
    return number + 1
'''
TESTS = """from small import few, larger


def test_larger():
    assert (larger(1, 2), larger(3, 2)) == (2, 3)


def test_few():
    assert few(2)
    assert not few(3)
"""


def changes(source: str) -> list[str]:
    return [mutant.change for mutant in mutants("m.py", source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a + b * 2", ["a + b * 2 → a - b * 2", "b * 2 → b / 2", "2 → 3"]),
        ("x[1:n]", ["x[1:n] → x[:n]", "x[1:n] → x[1:]", "1 → 2"]),
        ("a == 'b'", ["a == 'b' → a != 'b'", "a == 'b' → a == 'b?'"]),
        ("a in ('b', c)", [
            "a in ('b', c) → a not in ('b', c)",
            "a in ('b', c) → a in (c,)",
            "a in ('b', c) → a in ('b',)",
        ]),
        ("[n for n in x if n]", ["[n for n in x if n] → [n for n in x]"]),
        ("not a and b", ["not a and b → not a or b", "not a → a"]),
        ("max(x).any()", ["max(x).any() → max(x).all()", "max(x) → min(x)"]),
    ],
)  # fmt: skip
def test_an_expression_has_these_mutations(source: str, expected: list[str]) -> None:
    assert changes(f"value = {source}") == expected


def test_strings_and_annotations_are_not_mutated() -> None:
    assert changes('"""Two + two."""\nA: TypeAlias = Literal[1]\nf"{1 + 1}"') == ["f'{1 + 1}' → pass"]


def test_every_mutant_compiles_and_differs_from_the_source() -> None:
    path = SOURCE / "scoring" / "policy" / "repeats.py"
    source = path.read_text("utf-8")
    plain = ast.unparse(ast.parse(source))
    for mutant in mutants(path.name, source):
        tree = apply_mutant(source, mutant)
        compile(tree, path.name, "exec")
        assert ast.unparse(tree) != plain


def test_tested_mutants_are_killed_and_untested_ones_survive(tmp_path: Path) -> None:
    """One run over a small module: 3 faults of a function that no test calls survive."""
    (tmp_path / "small.py").write_text(SOURCE_TEXT, "utf-8")
    (tmp_path / "test_small.py").write_text(TESTS, "utf-8")
    command = [sys.executable, "-m", "tests.mutation.run", "small", "--root", str(tmp_path)]
    command += ["--modules", str(tmp_path / "small.py"), "--tests", "small.py", "test_small.py"]
    done = subprocess.run(
        [*command, "--output", str(tmp_path)],
        cwd=ROOT,
        env={"PATH": "", "PYTHONPATH": f"{tmp_path}:{ROOT}:{SOURCE.parent}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    found = json.loads((tmp_path / "small.json").read_text("utf-8"))["mutants"]
    ends = {(row["function"], row["change"]): row["end"] for row in found}
    assert ends == {
        ("", "3 → 4"): "killed",
        ("larger", "return a if a > b else b → return None"): "killed",
        ("larger", "a > b → a >= b"): "survived",
        ("larger", "a > b → a <= b"): "killed",
        ("few", "return number < LIMIT → return None"): "killed",
        ("few", "number < LIMIT → number <= LIMIT"): "killed",
        ("few", "number < LIMIT → number >= LIMIT"): "killed",
        ("unseen", "return number + 1 → return None"): "survived",
        ("unseen", "number + 1 → number - 1"): "survived",
        ("unseen", "1 → 2"): "survived",
    }


def test_listed_equivalent_mutants_still_exist() -> None:
    known = {
        name(mutant._replace(module=f"{package}/{path.name}"))
        for package in TARGETS
        for path in modules(package)
        for mutant in mutants(path.name, path.read_text("utf-8"))
    }
    assert set(equivalents()) <= known
    assert all(reason.endswith(".") for reason in equivalents().values())


def test_the_score_leaves_equivalent_mutants_out() -> None:
    assert score(Counter({"killed": 6, "timed out": 1, "survived": 3, "equivalent": 5})) == 0.7


def test_the_report_names_survivors() -> None:
    row = {"module": "m.py", "function": "f", "line": 1, "change": "a | b → a & b"}
    mutated = [{**row, "end": "survived"}, {**row, "end": "killed"}]
    report = {"package": "m", "possible": 4, "processor": 60, "mutants": mutated}
    text = page([report])
    assert "| m | 4 | 2 | 1 | 0 | 1 | 0 | 50.0 % |" in text
    assert "`a \\| b` → `a & b`" in text
    assert "a sample was tried" in text
