"""Where corefbench keeps what it can make again."""

import os
from pathlib import Path


def cache_folder(kind: str) -> Path:
    """The folder of a kind below ``COREFBENCH_CACHE``, else below the user's cache folder."""
    if given := os.environ.get("COREFBENCH_CACHE"):
        return Path(given) / kind
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "corefbench" / kind
