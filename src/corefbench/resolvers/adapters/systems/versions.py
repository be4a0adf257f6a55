"""Which version answers."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def installed(package: str) -> str:
    """The version of an installed package; ``unknown`` for one that is used without installing."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
