"""Charts as SVG, for light and for dark pages."""

from functools import lru_cache

import msgspec

from corefbench.errors import MissingExtra
from corefbench.report.charts.inline import can_draw
from corefbench.web.page import Drawing

_INK = {"light": "#1d2430", "dark": "#e6e9ef"}
_LINES = {"light": "#d9dee7", "dark": "#3a4352"}


@lru_cache(maxsize=256)
def as_svg(drawing: Drawing, theme: str = "light") -> str:
    """The chart on a transparent ground, with the ink of the theme."""
    if not can_draw():
        raise MissingExtra("altair", "charts")
    import vl_convert

    specification = msgspec.json.decode(drawing.specification)
    ink, lines = _INK.get(theme, _INK["light"]), _LINES.get(theme, _LINES["light"])
    shared = {"labelColor": ink, "titleColor": ink}
    config = specification.setdefault("config", {})
    config["background"] = None
    for part in ("axis", "axisX", "axisY", "legend", "header"):
        config[part] = {**config.get(part, {}), **shared}
    for part in ("axis", "axisX", "axisY"):
        config[part] |= {"gridColor": lines, "domainColor": lines, "tickColor": lines}
    config["title"] = {**config.get("title", {}), "color": ink, "subtitleColor": ink}
    config["text"] = {**config.get("text", {}), "color": ink}
    svg: str = vl_convert.vegalite_to_svg(msgspec.json.encode(specification).decode())
    return svg
