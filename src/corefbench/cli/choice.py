"""Options that are one of a few words."""

from corefbench.errors import UsageError


def one_of(value: str, *allowed: str) -> None:
    """Refuse an output format that is none of those allowed."""
    if value not in allowed:
        raise UsageError(f"there is no output format {value!r}", expected=" or ".join(allowed))
