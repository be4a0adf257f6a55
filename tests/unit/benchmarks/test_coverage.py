"""The page of coverage adds files up by package and names the goals that are not met."""

from benchmarks.coverage import by_package, page, shortfalls


def summary(lines: int, of_lines: int, branches: int = 0, of_branches: int = 0) -> dict[str, int]:
    return {
        "covered_lines": lines,
        "num_statements": of_lines,
        "covered_branches": branches,
        "num_branches": of_branches,
    }


REPORT = {
    "files": {
        "src/corefbench/scoring/measures/muc.py": {"summary": summary(10, 10, 2, 2)},
        "src/corefbench/scoring/measures/lea.py": {"summary": summary(9, 10, 1, 2)},
        "src/corefbench/campaign/domain/submissions.py": {"summary": summary(5, 5)},
        "src/corefbench/campaign/server.py": {"summary": summary(1, 5)},
        "src/corefbench/errors.py": {"summary": summary(5, 5)},
    },
    "totals": summary(30, 35, 3, 4),
}


def test_files_add_up_to_packages():
    found = by_package(REPORT)
    assert list(found) == ["(modules)", "campaign", "campaign/domain", "scoring/measures"]
    assert found["scoring/measures"].percent == 100 * (19 + 3) / (20 + 4)


def test_goals_that_are_not_met_are_named():
    assert shortfalls(REPORT) == ["all: 84.62 %", "scoring/measures: 91.67 %"]


def test_percentages_are_not_rounded_up():
    assert "| scoring/measures | 19 of 20 | 3 of 4 | 91.6 % |" in page(REPORT)
    assert "| **all** | 30 of 35 | 3 of 4 | 84.6 % |" in page(REPORT)
    assert "all**" not in page(REPORT, complete_only=True)
