"""Compare a checkout with recorded outputs: ``python -m tests.snapshots.compare BEFORE CHECKOUT``.

JSON is compared value by value, numbers exactly; other texts line by line. Calls that a file of
intended differences names (lines ``call-name: reason``; the name may be a pattern) may differ in
their words: of these, the numbers in JSON and all numbers with decimals in texts are compared.
"""

import argparse
import difflib
import json
import re
import sys
import tempfile
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from tests.snapshots.record import record

_DECIMAL = re.compile(r"\d+\.\d+")
_SHOWN = 30


def differences(before: Path, after: Path, intended: bool) -> list[str]:
    """What differs between the outputs of a call before and after."""
    old, new = _files(before), _files(after)
    found = [f"- {name} is not written any more" for name in sorted(old.keys() - new.keys())]
    found += [f"+ {name} is new" for name in sorted(new.keys() - old.keys())]
    for name in sorted(old.keys() & new.keys()):
        if old[name] != new[name]:
            found += _file_differences(name, old[name], new[name], intended)
    return found


def _files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()
    }


def _file_differences(name: str, old: str, new: str, intended: bool) -> list[str]:
    if name.endswith(".json"):
        try:
            values = _json(old), _json(new)
        except ValueError:
            pass
        else:
            return _value_differences(name, *values, intended)
    if intended:
        removed, added = _DECIMAL.findall(old), _DECIMAL.findall(new)
        return [] if removed == added else [f"{name}: the numbers differ", *_diff(removed, added)]
    return [f"{name}:", *_diff(old.splitlines(), new.splitlines())]


def _json(text: str) -> Any:
    # Floats stay text: 0.1 and 0.10000000000000001 are not the same output.
    return json.loads(text.replace("<varies>", "null"), parse_float=str)


def _diff(old: list[str], new: list[str]) -> list[str]:
    lines = [line for line in difflib.unified_diff(old, new, lineterm="", n=0) if line[:2] != "@@"]
    lines = [line[:300] for line in lines[2:]]
    more = len(lines) - _SHOWN
    return [f"  {line}" for line in lines[:_SHOWN]] + ([f"  … {more} more"] if more > 0 else [])


def _value_differences(where: str, old: Any, new: Any, intended: bool) -> list[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        found = [f"{where}: key {key!r} only before" for key in old.keys() - new.keys()]
        found += [f"{where}: key {key!r} only after" for key in new.keys() - old.keys()]
        for key in old.keys() & new.keys():
            found += _value_differences(f"{where}/{key}", old[key], new[key], intended)
        if not found and list(old) != list(new):
            found.append(f"{where}: the order of the keys differs")
        return found
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        return [d for n, (a, b) in pairs for d in _value_differences(f"{where}/{n}", a, b, intended)]
    if old == new:
        return []
    words = isinstance(old, str) and isinstance(new, str)
    if intended and words and _DECIMAL.findall(old) == _DECIMAL.findall(new):
        return []
    if words and "\n" in old:
        return [f"{where}:", *_diff(old.splitlines(), new.splitlines())]
    return [f"{where}:", f"  -{str(old)[:300]}", f"  +{str(new)[:300]}"]


def _intended(path: Path | None) -> dict[str, str]:
    if path is None or not path.is_file():
        return {}
    lines = [line.lstrip("-* `").partition(":") for line in path.read_text().splitlines()]
    return {name.strip("` "): reason.strip() for name, mark, reason in lines if mark}


def main() -> None:
    """Print differences; exit with 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--only", default="*", help="names of calls, such as 'cli.score.*'")
    parser.add_argument("--intended", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--recorded", action="store_true", help="the second folder is recorded, too")
    given = parser.parse_args()
    intended = _intended(given.intended)
    with tempfile.TemporaryDirectory() as folder:
        after = given.checkout if given.recorded else Path(folder)
        if not given.recorded:
            record(given.checkout, after, given.only, given.jobs)
        names = sorted(p.name for p in given.before.iterdir() if fnmatch(p.name, given.only))
        wrong = 0
        for name in names:
            is_intended = any(fnmatch(name, pattern) for pattern in intended)
            found = differences(given.before / name, after / name, is_intended)
            wrong += bool(found)
            if found:
                print(f"== {name}", *found, sep="\n")
    print(f"{len(names) - wrong} of {len(names)} calls are the same")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
