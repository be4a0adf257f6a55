"""Style sheets and scripts, served from memory under URLs with a hash of their content."""

from functools import cached_property
from hashlib import sha256
from pathlib import Path

from corefbench.records import Record
from corefbench.web.errors import NotFound
from corefbench.web.responses import IMMUTABLE, FileContent

SHARED_ASSETS = Path(__file__).parent / "static"
_MEDIA_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


class Asset(Record, frozen=True):
    """A style sheet, script or image."""

    content: bytes
    media_type: str
    digest: str


class Assets:
    """The files of some folders, read once."""

    def __init__(self, *folders: Path) -> None:
        self.folders = folders

    @cached_property
    def by_name(self) -> dict[str, Asset]:
        """All files by name."""
        return {
            path.name: _read_asset(path)
            for folder in self.folders
            for path in sorted(folder.iterdir())
            if path.is_file()
        }

    def url(self, name: str) -> str:
        """Return the URL of a file; it changes with the content."""
        return f"/static/{name}?v={self.by_name[name].digest}"

    def serve(self, name: str, version: str) -> FileContent:
        """Return a file; the browser keeps it if the URL has the hash of its content."""
        asset = self.by_name.get(name)
        if asset is None:
            raise NotFound("there is no such file")
        return FileContent(
            body=asset.content, media_type=asset.media_type, cache=IMMUTABLE if version == asset.digest else "no-cache"
        )


def _read_asset(path: Path) -> Asset:
    content = path.read_bytes()
    return Asset(
        content=content,
        media_type=_MEDIA_TYPES.get(path.suffix, "text/plain; charset=utf-8"),
        digest=sha256(content).hexdigest()[:16],
    )
