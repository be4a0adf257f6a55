"""A workbench that runs, and a browser to visit it with.

``server`` is the address of a real ``corefbench ui`` with one run, ``demo``; ``page`` is a tab of
Debian's chromium that fails its test where the page complains; ``axe`` looks for what would keep
people out. Without playwright or chromium these tests are skipped.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.running import FLAGS, RUN, Address, chromium, make_run, one_of_each, serving


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On a crowded machine a browser may be starved beyond any patience: what ran out of time, and
    nothing else, is tried once more."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=["TimeoutError"]))


@pytest.fixture(scope="session")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comparison of three resolvers on the corpus that comes with corefbench."""
    path = tmp_path_factory.mktemp("made") / f"{RUN}.corefrun"
    make_run(path)
    return path


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the workbench."""
    return tmp_path_factory.mktemp("workbench")


@pytest.fixture(scope="package")
def server(browser: Any, run_file: Path, home: Path) -> Iterator[Address]:
    """The address of the workbench, without a slash at its end."""
    pytest.importorskip("litestar", reason="the extra ui is not installed")
    (home / "runs").mkdir()
    shutil.copy(run_file, home / "runs")
    with serving(home) as address:
        yield address


@pytest.fixture(scope="package")
def places(server: Address) -> dict[str, str]:
    """An address of every page, by the name of its route."""
    return one_of_each(server)


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Chromium, started once; its event loop must end with these tests, or no other could have
    one."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not chromium():
        pytest.skip("chromium is not installed (Debian: apt-get install chromium)")
    with api.sync_playwright() as started:
        made = started.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield made
        made.close()


@pytest.fixture
def complaints() -> list[str]:
    """What pages wrote to the console as errors; a test that provokes one takes it out."""
    return []


@pytest.fixture
def new_page(browser: Any, complaints: list[str]) -> Iterator[Callable[..., Any]]:
    """Opens tabs, each in a context with these options: ``new_page(color_scheme="dark")``."""
    contexts = []

    def opened(**options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        contexts.append(context)
        context.set_default_timeout(30_000)
        if isinstance(options.get("base_url"), Address):
            options["base_url"].sign_in(context)
        page = context.new_page()
        page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints, f"the page complained: {complaints}"


@pytest.fixture
def page(new_page: Callable[..., Any], server: str) -> Any:
    """A wide, light tab of the workbench: ``page.goto("/runs/demo")``."""
    return new_page(base_url=server, color_scheme="light", accept_downloads=True)


@pytest.fixture(scope="session")
def axe() -> Callable[[Any], None]:
    """Asserts that a page has no serious or critical barrier by WCAG 2.2 AA."""
    api = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    checker = api.Axe()
    # Style sheets are not fetched a second time, which pages that are files could not do.
    options = {"resultTypes": ["violations"], "preload": False}

    def checked(page: Any) -> None:
        violations = checker.run(page, options=options).response["violations"]
        found = [
            f"{one['id']} ({one['impact']}): {one['help']}: "
            + "; ".join(node["html"][:160] for node in one["nodes"][:3])
            for one in violations
            if one["impact"] in ("serious", "critical")
        ]
        assert not found, f"{page.url}: {found}"

    return checked
