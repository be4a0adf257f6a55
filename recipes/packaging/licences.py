"""The packages that each extra brings, with those that these bring in turn, and their licences.

What corefbench asks for stands in pyproject.toml; the rest is read from the metadata of what is
installed here, so that no service need be asked.
"""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Any

from packaging.requirements import Requirement

from benchmarks.inputs import ROOT
from corefbench.record import Record

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
        line.rpartition("::")[2].strip()
        for line in said.get_all("Classifier") or ()
        if line.startswith("License ::")
    ]
    licence = said.get("License-Expression") or "; ".join(classified) or said.get("License") or ""
    first = licence.strip().splitlines()[0] if licence.strip() else "not said"
    return Package(name=name, version=there.version, licence=first[:80])
