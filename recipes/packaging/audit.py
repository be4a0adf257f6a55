"""Licences and known vulnerabilities of dependencies.

Vulnerabilities are listed if the service that knows them answers. Writes
docs/results/dependencies.md.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Any

from packaging.requirements import Requirement

from benchmarks.data import ROOT
from benchmarks.page import RESULTS, markdown_table
from corefbench.records import Record

COPYLEFT = re.compile(r"(?<!L)(?<!Lesser )\b(A?GPL|GNU (Affero )?General Public)", re.IGNORECASE)
"""Licences that would bind who uses corefbench; the Lesser one does not."""
OFFERED = re.compile(r" or |MPL|BSD|MIT|Apache|LGPL|exception", re.IGNORECASE)
"""Words by which a licence leaves another choice."""


class Package(Record, frozen=True):
    """A package that is installed."""

    name: str
    version: str
    licence: str

    @property
    def is_copyleft(self) -> bool:
        """Whether it may only be used under the GPL or AGPL.

        >>> Package(name="x", version="1", licence="GPL-3.0-only").is_copyleft
        True
        >>> Package(name="x", version="1", licence="LGPL-3.0").is_copyleft
        False
        """
        return bool(COPYLEFT.search(self.licence)) and not OFFERED.search(self.licence)


def extras() -> list[str]:
    """The extras of corefbench."""
    return list(_project()["optional-dependencies"])


def _project() -> dict[str, Any]:
    made: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return made


def brought(extra: str = "") -> dict[str, Package | None]:
    """The packages that corefbench needs with an extra; None for those that are not installed."""
    found: dict[str, Package | None] = {}
    waiting = [("corefbench", frozenset({extra} if extra else ()))]
    seen = set()
    while waiting:
        name, asked = waiting.pop()
        if (name, asked) in seen:
            continue
        seen.add((name, asked))
        if name == "corefbench":
            own = _project()
            lines = [*own["dependencies"]]
            lines += [line for extra in asked for line in own["optional-dependencies"][extra]]
        else:
            try:
                there = distribution(name)
            except PackageNotFoundError:
                found[name] = None
                continue
            found[name], lines = _package(name, there), there.requires or []
        waiting += [(one.name.lower(), frozenset(one.extras)) for one in _needs(lines, asked)]
    return found


def _needs(lines: list[str], asked: frozenset[str]) -> Iterator[Requirement]:
    for line in lines:
        one = Requirement(line)
        wanted = [{"extra": extra} for extra in asked or ("",)]
        if one.marker is None or any(one.marker.evaluate(given) for given in wanted):
            yield one


def _package(name: str, there: Distribution) -> Package:
    said = there.metadata
    classified = [
        line.rpartition("::")[2].strip() for line in said.get_all("Classifier") or () if line.startswith("License ::")
    ]
    licence = said.get("License-Expression") or "; ".join(classified) or said.get("License") or ""
    first = licence.strip().splitlines()[0] if licence.strip() else "not said"
    return Package(name=name, version=there.version, licence=first[:80])


_HEAD = """# Dependencies

Written by `make audit`: the packages that corefbench and its extras bring, their versions where
this was written, and their licences. None may be under the GPL or AGPL alone."""


def main(words: Sequence[str] = ()) -> int:
    """The command."""
    said, faults = advisories()
    found = {extra: brought(extra) for extra in ("", *extras())}
    known = {name: one for some in found.values() for name, one in some.items() if one}
    binding = [one.name for one in known.values() if one.is_copyleft]
    for name in binding:
        print(f"{name} is under the GPL")
    print(said)
    (RESULTS / "dependencies.md").write_text(page(found, known, said), encoding="utf-8")
    return int(bool(binding) or bool(faults))


def advisories() -> tuple[str, int]:
    """What pip-audit says, and of how many faults; a service that is away is no fault."""
    command = [sys.executable, "-m", "pip_audit", "--skip-editable", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        listed = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        why = (done.stderr.strip().splitlines() or ["it said nothing"])[-1][:200]
        return f"Known faults could not be looked up: {why}", 0
    unknown = [one["name"] for one in listed if "skip_reason" in one]
    if len(unknown) == len(listed):
        return f"Known faults could not be looked up: the service knew none of {len(listed)}.", 0
    faulty = {one["name"]: len(one["vulns"]) for one in listed if one.get("vulns")}
    names = ", ".join(f"{name} ({count})" for name, count in faulty.items()) or "none"
    asked = f"{len(listed) - len(unknown)} of {len(listed)} packages were looked up"
    return f"{asked}; with known faults: {names}.", len(faulty)


def page(found: dict[str, dict[str, Package | None]], known: dict[str, Package], said: str) -> str:
    """The page."""
    rows = [[one.name, one.version, one.licence] for _, one in sorted(known.items())]
    sizes = []
    for extra, some in found.items():
        there = sum(one is not None for one in some.values())
        missing = ", ".join(sorted(name for name, one in some.items() if one is None)) or "–"
        sizes.append([extra or "none", str(there), missing])
    parts = [
        _HEAD,
        said,
        markdown_table(["extra", "packages", "not installed where this was written"], sizes),
        markdown_table(["package", "version", "licence"], rows),
    ]
    return "\n\n".join(parts) + "\n"
