"""Takes the pictures of the workbench for the documentation: ``make screenshots``.

Every page in light and dark, wide and narrow, as ``docs/images/ui-PAGE-THEME-WIDTH.png``. Colours
are reduced to a palette where Pillow is installed, which makes files a third of their size.
"""

import argparse
import os
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.browser.running import FLAGS, RUN, Address, chromium, make_run, one_of_each, serving

IMAGES = Path(__file__).parent / "images"
WIDTHS = {"wide": (1280, 860), "narrow": (390, 844)}
THEMES = ("light", "dark")
_FREQUENT = 160
"""Colours that are kept as they are: grounds and inks; the others are blends of them."""


def main() -> None:
    """Take them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=IMAGES)
    parser.add_argument("--pages", nargs="*", default=[], help="names of routes; else all")
    parser.add_argument("--whole", action="store_true", help="whole pages, not what a screen shows")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        home = Path(scratch)
        os.environ.setdefault("COREFBENCH_CACHE", str(home / "cache"))
        (home / "runs").mkdir()
        make_run(home / "runs" / f"{RUN}.corefrun")
        with serving(home) as server:
            _take_all(server, one_of_each(server), asked)


def _take_all(server: Address, places: dict[str, str], asked: argparse.Namespace) -> None:
    from playwright.sync_api import sync_playwright

    wanted = asked.pages or list(places)
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        for name in wanted:
            for theme in THEMES:
                for width, (across, down) in WIDTHS.items():
                    page = browser.new_page(viewport={"width": across, "height": down}, color_scheme=theme)
                    server.sign_in(page.context)
                    page.goto(f"{server}{places[name]}")
                    _settle(page, name)
                    path = asked.folder / f"ui-{name}-{theme}-{width}.png"
                    path.write_bytes(_smaller(page.screenshot(full_page=asked.whole)))
                    page.close()
            sys.stdout.write(f"{name}\n")
        browser.close()


def _settle(page: Any, name: str) -> None:
    """Wait for charts; in a text, go to the fourth error, which has reasons."""
    if name == "reading":
        for _ in range(4):
            page.keyboard.press("n")
    page.evaluate("() => { for (const image of document.images) image.loading = 'eager'; }")
    page.wait_for_load_state("networkidle")


def _smaller(png: bytes) -> bytes:
    """The picture in 256 colours, most of them exactly its own; as it is without Pillow."""
    try:
        from PIL import Image
    except ImportError:
        return png
    picture = Image.open(BytesIO(png)).convert("RGB")
    counted = picture.getcolors(picture.width * picture.height) or []
    frequent = [colour for _, colour in sorted(counted, reverse=True)[:_FREQUENT]]
    rest = picture.quantize(256 - _FREQUENT, method=Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(part for colour in frequent for part in colour), *rest][: 3 * 256])
    made = BytesIO()
    picture.quantize(palette=palette, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    return min(made.getvalue(), png, key=len)


if __name__ == "__main__":
    main()
