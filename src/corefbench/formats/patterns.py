"""Corpora given as patterns: ``data/*.jsonl.gz``, ``data/**/*.conll``."""

import glob
from pathlib import Path

from corefbench.errors import DataError, Place
from corefbench.formats.source import is_nameable


def is_pattern(where: object) -> bool:
    """Whether it is a pattern, and not a file or folder that happens to be called so.

    >>> is_pattern("data/*.conll"), is_pattern("data/a.conll"), is_pattern(b"*")
    (True, False, False)
    """
    if not isinstance(where, str | Path) or not glob.has_magic(str(where)):
        return False
    return is_nameable(str(where)) and not Path(where).exists()


def places(where: str | Path | bytes) -> list[str | Path | bytes]:
    """The files and folders that a pattern matches; what is no pattern is itself the place."""
    return [*matches(where)] if is_pattern(where) else [where]  # type: ignore[arg-type]


def matches(pattern: str | Path) -> list[Path]:
    """What matches, sorted; of a folder that matches, its contents do not count again.

    ``**`` stands for any number of folders. Names that begin with a dot match only where the
    pattern says the dot.
    """
    found = {Path(name) for name in glob.iglob(str(pattern), recursive=True)}
    if not found:
        raise _nothing(pattern)
    return sorted(path for path in found if found.isdisjoint(path.parents))


def base_of(pattern: str | Path) -> Path:
    """The folder before the first sign that stands for others.

    >>> base_of("data/*/dev/*.conll").as_posix(), base_of("*.conll").as_posix()
    ('data', '.')
    """
    parts = Path(pattern).parts
    return Path(*parts[: [glob.has_magic(part) for part in parts].index(True)])


def _nothing(pattern: str | Path) -> DataError:
    base = base_of(pattern)
    there = sorted(path.name for path in base.glob("[!.]*"))
    some = ", ".join(there[:3]) + (f" and {len(there) - 3} more" if len(there) > 3 else "")
    return DataError(
        "nothing matches the pattern",
        code="CB159",
        place=Place(source=str(pattern)),
        found=(some or "an empty folder") if base.is_dir() else f"no folder {base}",
        expected="files or folders; ** stands for any number of folders",
        remedy="quote the pattern, so that the shell leaves it as it is",
    )
