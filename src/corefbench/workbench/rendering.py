"""Templates, assets and links of the workbench."""

from pathlib import Path

from corefbench.runs.matching import SYMBOLS
from corefbench.web.assets import SHARED_ASSETS, Assets
from corefbench.web.rendering import Links, Renderer
from corefbench.workbench.reading.layout import group_paragraphs
from corefbench.workbench.routes import url_for

ASSETS = Assets(SHARED_ASSETS, Path(__file__).parent / "static")
RENDERER = Renderer(
    "corefbench.workbench", filters={"group_paragraphs": group_paragraphs}, variables={"symbols": SYMBOLS}
)
SERVER_LINKS = Links(url=url_for, static=ASSETS.url, chart=lambda chart, theme: f"/drawings/{chart.digest}-{theme}.svg")
