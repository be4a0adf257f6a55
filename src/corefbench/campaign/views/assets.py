"""Style sheets and scripts: those of the workbench, and the campaign's own."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from corefbench.web.assets import Asset
from corefbench.web.assets import assets as of_workbench

STATIC = Path(__file__).parents[1] / "static"


@cache
def assets() -> dict[str, Asset]:
    """All of them by name, read once."""
    return {**of_workbench(), **{path.name: _style(path) for path in STATIC.glob("*.css")}}


def _style(path: Path) -> Asset:
    content = path.read_bytes()
    return Asset(content=content, media_type="text/css", digest=sha256(content).hexdigest()[:16])
