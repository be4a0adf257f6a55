"""Whether files of the campaign's folder are as they were: read again only when they changed."""

import hashlib
from functools import lru_cache
from pathlib import Path

from corefbench.campaign.platform import Platform


def key_sha256(platform: Platform, phase: str, task: str) -> str:
    """Of what answers are scored against; empty where it is not there to be read."""
    source = platform.path(platform.campaign.phase(phase).data_of(task).key)
    try:
        return _digest(source, changed(source))
    except OSError:
        return ""


def is_same_key(kept: str | None, present: str) -> bool:
    """Whether scores were made against the present key, as far as that is known.

    >>> is_same_key("ab", "cd"), is_same_key(None, "cd"), is_same_key("ab", "")
    (False, True, True)
    """
    return not kept or not present or kept == present


def changed(source: Path) -> tuple[int, ...]:
    """Tells whether a file or folder is no longer as it was."""
    return tuple(file.stat().st_mtime_ns for file in _files(source))


@lru_cache(maxsize=64)
def _digest(source: Path, _: tuple[int, ...]) -> str:
    """Of a file; of a folder, over the names and contents of all that is in it."""
    whole = hashlib.sha256()
    for file in _files(source):
        if file.is_file():
            with file.open("rb") as stream:
                content = hashlib.file_digest(stream, "sha256").hexdigest()
            name = file.relative_to(source).as_posix()
            whole.update(f"{content} {name}\n".encode())
    return whole.hexdigest()


def _files(source: Path) -> list[Path]:
    return sorted(source.rglob("*")) if source.is_dir() else [source]
