"""How much an upload may be, packed and unpacked."""

from corefbench.record import Record


class Budget(Record, frozen=True):
    """Bounds of one upload; what exceeds one of them is refused before it is taken in."""

    packed: int = 64 << 20
    """Bytes as they arrive …"""
    unpacked: int = 64 << 20
    """… and unpacked, all files together."""
    files: int = 2_000
    ratio: int = 200
    """How many times as large unpacked as packed; text packs 3 to 30 times …"""
    unsuspected: int = 8 << 20
    """… and so many bytes are taken whatever they were packed into."""
    line: int = 8 << 20
    """The longest line."""


BUDGET = Budget()
