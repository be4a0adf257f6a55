"""Fuzz every reader for a while: ``python -m tests.fuzz.run --seconds 60``; writes what was done.

The inputs that fuzzing came upon are kept in a folder and are where the next run begins.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec

from corefbench.formats import formats
from corefbench.records import Record

_UNITS = re.compile(r"stat::number_of_executed_units:\s+(\d+)")
_COVERAGE = re.compile(r"cov: (\d+)")
_PEAK = re.compile(r"stat::peak_rss_mb:\s+(\d+)")
MEGABYTES = 512


class Outcome(Record, frozen=True):
    """What fuzzing one reader came to."""

    format: str
    seconds: int
    executions: int
    coverage: int
    """Edges of the program that were taken."""
    megabytes: int
    findings: list[str]
    ended: int
    """The exit code: not 0 where an input took too long or too much memory."""
    load: float = 0.0
    """Of the machine at the end; 0 where it was not noted."""


def fuzz(name: str, folder: Path, seconds: int) -> Outcome:
    """Fuzz one reader in a process of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    options = (
        f"-max_total_time={seconds}",
        "-print_final_stats=1",
        f"-rss_limit_mb={MEGABYTES}",
        "-timeout=60",  # by the clock, of a machine that may be busy; processor time is asked too
        f"-artifact_prefix={folder}/finding-{name}-",
    )
    command = [sys.executable, "-m", "tests.fuzz.harness", name, str(folder / name), *options]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    (folder / f"{name}.log").write_text(done.stderr, encoding="utf-8")

    def last(pattern: re.Pattern[str]) -> int:
        found = pattern.findall(done.stderr)
        return int(found[-1]) if found else 0

    return Outcome(
        format=name,
        seconds=seconds,
        executions=last(_UNITS),
        coverage=last(_COVERAGE),
        megabytes=last(_PEAK),
        findings=sorted(path.name for path in folder.glob(f"finding-{name}-*") if path.suffix != ".txt"),
        ended=done.returncode,
        load=round(os.getloadavg()[0], 1),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="for each reader, by the clock")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"))
    parser.add_argument("--only", nargs="*", default=list(formats), help="readers; others stay")
    arguments = parser.parse_args()
    outcomes = _known(arguments.folder / "summary.json")
    for name in arguments.only:
        outcomes[name] = found = fuzz(name, arguments.folder, arguments.seconds)
        print(
            f"{name:12} {found.executions:>8,} executions, {found.coverage:>5,} edges, "
            f"{found.megabytes} MB, {len(found.findings)} findings, ended with {found.ended}",
            flush=True,
        )
        summary = msgspec.json.format(msgspec.json.encode(list(outcomes.values())), indent=1)
        (arguments.folder / "summary.json").write_bytes(summary + b"\n")
    sys.exit(any(outcomes[name].findings or outcomes[name].ended for name in arguments.only))


def _known(summary: Path) -> dict[str, Outcome]:
    """What earlier runs came to, by reader."""
    if not summary.exists():
        return {}
    found = msgspec.json.decode(summary.read_bytes(), type=list[Outcome])
    return {outcome.format: outcome for outcome in found}


if __name__ == "__main__":
    main()
