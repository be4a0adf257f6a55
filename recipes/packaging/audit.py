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
ALTERNATIVE = re.compile(r" or |MPL|BSD|MIT|Apache|LGPL|exception", re.IGNORECASE)
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
        return bool(COPYLEFT.search(self.licence)) and not ALTERNATIVE.search(self.licence)


def extras() -> list[str]:
    """The extras of corefbench."""
    return list(_project()["optional-dependencies"])


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return project


def find_dependencies(extra: str = "") -> dict[str, Package | None]:
    """Return the packages that corefbench needs with an extra; None for those not installed."""
    packages: dict[str, Package | None] = {}
    waiting = [("corefbench", frozenset({extra} if extra else ()))]
    visited = set()
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in visited:
            continue
        visited.add((name, extras))
        if name == "corefbench":
            project = _project()
            lines = [*project["dependencies"]]
            lines += [line for extra in extras for line in project["optional-dependencies"][extra]]
        else:
            try:
                installed = distribution(name)
            except PackageNotFoundError:
                packages[name] = None
                continue
            packages[name], lines = _package(name, installed), installed.requires or []
        waiting += [
            (requirement.name.lower(), frozenset(requirement.extras))
            for requirement in _active_requirements(lines, extras)
        ]
    return packages


def _active_requirements(lines: list[str], extras: frozenset[str]) -> Iterator[Requirement]:
    for line in lines:
        requirement = Requirement(line)
        environments = [{"extra": extra} for extra in extras or ("",)]
        if requirement.marker is None or any(requirement.marker.evaluate(environment) for environment in environments):
            yield requirement


def _package(name: str, installed: Distribution) -> Package:
    metadata = installed.metadata
    classified = [
        line.rpartition("::")[2].strip()
        for line in metadata.get_all("Classifier") or ()
        if line.startswith("License ::")
    ]
    licence = metadata.get("License-Expression") or "; ".join(classified) or metadata.get("License") or ""
    first = licence.strip().splitlines()[0] if licence.strip() else "not said"
    return Package(name=name, version=installed.version, licence=first[:80])


_HEAD = """# Dependencies

Written by `make audit`: the packages that corefbench and its extras bring, their versions where
this was written, and their licences. None may be under the GPL or AGPL alone."""


def main(words: Sequence[str] = ()) -> int:
    """Write the page; return 1 if a dependency is copyleft or vulnerable."""
    advice, faults = advisories()
    by_extra = {extra: find_dependencies(extra) for extra in ("", *extras())}
    packages = {
        name: package for dependencies in by_extra.values() for name, package in dependencies.items() if package
    }
    binding = [package.name for package in packages.values() if package.is_copyleft]
    for name in binding:
        print(f"{name} is under the GPL")
    print(advice)
    (RESULTS / "dependencies.md").write_text(page(by_extra, packages, advice), encoding="utf-8")
    return int(bool(binding) or bool(faults))


def advisories() -> tuple[str, int]:
    """Return what pip-audit reports and the number of faulty packages; no answer is no fault."""
    command = [sys.executable, "-m", "pip_audit", "--skip-editable", "--format", "json"]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        packages = json.loads(process.stdout)["dependencies"]
    except (ValueError, KeyError):
        reason = (process.stderr.strip().splitlines() or ["it said nothing"])[-1][:200]
        return f"Known faults could not be looked up: {reason}", 0
    unknown = [package["name"] for package in packages if "skip_reason" in package]
    if len(unknown) == len(packages):
        return f"Known faults could not be looked up: the service knew none of {len(packages)}.", 0
    faulty = {package["name"]: len(package["vulns"]) for package in packages if package.get("vulns")}
    names = ", ".join(f"{name} ({count})" for name, count in faulty.items()) or "none"
    looked_up = f"{len(packages) - len(unknown)} of {len(packages)} packages were looked up"
    return f"{looked_up}; with known faults: {names}.", len(faulty)


def page(by_extra: dict[str, dict[str, Package | None]], packages: dict[str, Package], advice: str) -> str:
    """Return the page."""
    rows = [[package.name, package.version, package.licence] for _, package in sorted(packages.items())]
    sizes = []
    for extra, dependencies in by_extra.items():
        count = sum(package is not None for package in dependencies.values())
        missing = ", ".join(sorted(name for name, package in dependencies.items() if package is None)) or "–"
        sizes.append([extra or "none", str(count), missing])
    parts = [
        _HEAD,
        advice,
        markdown_table(["extra", "packages", "not installed where this was written"], sizes),
        markdown_table(["package", "version", "licence"], rows),
    ]
    return "\n\n".join(parts) + "\n"
