"""The table of pages."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from corefbench.workbench.routes import ROUTES, Route, url_for

TEMPLATES = [
    path
    for package in ("web", "workbench", "campaign")
    for path in (Path(str(files(f"corefbench.{package}"))) / "templates").glob("*.html")
]


@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
def test_every_page_has_a_view(route: Route) -> None:
    assert callable(ROUTES.load_view(route.name))


@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
def test_addresses_carry_their_values(route: Route) -> None:
    values = dict.fromkeys(route.parameters, "a/b c?")
    made = route.url(**values, further="x&y")
    assert "{" not in made
    assert made.endswith("?further=x%26y")
    assert made.count("a%2Fb%20c%3F") == len(values)


def test_values_that_are_empty_are_left_out() -> None:
    assert url_for("results", run="a", by="", sort=None) == "/runs/a"


def test_no_template_names_an_address_of_its_own() -> None:
    """URLs that are written out would break in a static site."""
    for path in TEMPLATES:
        found = re.findall(r'(?:href|src|action)="(/[^"]*)"', path.read_text(encoding="utf-8"))
        assert found == [], path.name


def test_no_template_has_scripts_or_styles_of_its_own() -> None:
    """The policy that the server sends allows neither."""
    for path in TEMPLATES:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\sstyle=|\son[a-z]+=|<style|javascript:", text), path.name
        for script in re.findall(r"<script[^>]*>", text):
            assert "src=" in script or 'type="application/json"' in script, path.name


def test_no_template_trusts_what_it_prints() -> None:
    for path in TEMPLATES:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\|\s*safe\b|autoescape false", text), path.name
