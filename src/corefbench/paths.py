"""Folders where corefbench keeps files that it can recreate."""

import os
from pathlib import Path


def cache_folder(kind: str) -> Path:
    """Return the folder for one kind of cached files.

    It is below ``COREFBENCH_CACHE`` if that is set, else below the user's cache folder.
    """
    if folder := os.environ.get("COREFBENCH_CACHE"):
        return Path(folder) / kind
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "corefbench" / kind
