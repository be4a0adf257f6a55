"""Style sheets and scripts, from memory: no page that is being made meanwhile keeps them waiting.

Their addresses carry a digest, so that a browser asks for each of them once.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

from corefbench.record import Record

STATIC = Path(__file__).parent / "static"

_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class Asset(Record, frozen=True):
    """A file that pages ask for."""

    content: bytes
    media_type: str
    digest: str


@cache
def assets() -> dict[str, Asset]:
    """All of them by name, read once."""
    return {path.name: _asset(path) for path in STATIC.iterdir() if path.is_file()}


def _asset(path: Path) -> Asset:
    content = path.read_bytes()
    return Asset(
        content=content,
        media_type=_TYPES.get(path.suffix, "text/plain"),
        digest=sha256(content).hexdigest()[:16],
    )


def asset_address(name: str) -> str:
    """Where the app has a file."""
    return f"/static/{name}?v={assets()[name].digest}"
