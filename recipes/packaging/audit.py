"""Known faults of the packages that are installed, where the service that knows them answers; and
their licences, which are always looked at. Writes docs/results/dependencies.md."""

import json
import subprocess
import sys

from benchmarks.pages import RESULTS, table
from recipes.packaging.licences import Package, brought, extras

_HEAD = """# Dependencies

Written by `make audit`: the packages that corefbench and its extras bring, their versions where
this was written, and their licences. None may be under the GPL or AGPL alone."""


def main() -> int:
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
        table(["extra", "packages", "not installed where this was written"], sizes),
        table(["package", "version", "licence"], rows),
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.exit(main())
