"""What a route of the kind ``file`` hands out."""

from pathlib import Path

from corefbench.record import Record


class Given(Record, frozen=True):
    """Bytes, or a file on disk, and what they are."""

    body: bytes | Path
    media_type: str = "application/octet-stream"
    name: str = ""
    """The name to save it under; empty where it is shown."""
    status: int = 200
    kept: bool = False
    """Whether browsers may keep it for ever: its address tells its content."""
