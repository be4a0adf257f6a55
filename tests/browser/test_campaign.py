"""A campaign in a real browser: with a mouse, with keys alone, without JavaScript."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra campaign is not installed")

from corefbench.campaign.storage.settings import publish
from corefbench.campaign.storage.users import list_teams, set_team_state
from tests.browser.campaign_site import Served, campaign_served
from tests.campaign import PASSWORD, answers, enter
from tests.campaign_visits import organiser

PATIENCE = 120_000
"""Milliseconds that scoring may take on a busy machine."""
TASK = "/phases/training/tasks/coreference"
TEST = "/phases/test/tasks/coreference"
BROKEN = b"#begin document (a);\nAnn (1)\nleft 1)\n\n#end document\n"


@pytest.fixture
def site(browser: Any, tmp_path) -> Iterator[Served]:
    with campaign_served(tmp_path) as served:
        yield served


@pytest.fixture
def visit(site: Served, new_page: Callable[..., Any]) -> Callable[..., Any]:
    """Opens a tab of the campaign."""
    return lambda **options: new_page(
        base_url=site.address, **{"color_scheme": "light", "accept_downloads": True, **options}
    )


def file(content: bytes) -> dict[str, Any]:
    return {"name": "answers.conll", "mimeType": "text/plain", "buffer": content}


def sign_in(page: Any, email: str) -> None:
    page.goto("/sign-in")
    page.fill("#email", email)
    page.fill("#password", PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Sign out").wait_for()


def approve(site: Served) -> None:
    with site.platform.database.write() as connection:
        for team in list_teams(connection):
            set_team_state(connection, team.id, "approved", person=None, now=site.clock())


def send(page: Any, content: bytes, button: str = "Check and submit") -> None:
    page.set_input_files("#file", files=[file(content)])
    page.get_by_role("button", name=button).click()


def test_a_team_registers_submits_and_sees_its_scores(site: Served, visit, axe, complaints):
    page = visit()
    page.goto("/")
    axe(page)
    page.get_by_role("link", name="Register a team").click()
    axe(page)
    page.fill("#name", "Ada")
    page.fill("#email", "ada@example.org")
    page.fill("#password", "tulip anchor violin")
    page.fill("#team", "Lovelace")
    page.get_by_role("button", name="Register").click()
    page.fill("#email", "ada@example.org")
    page.fill("#password", "tulip anchor violin")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Waiting for approval").wait_for()
    axe(page)
    approve(site)
    page.goto("/")
    page.get_by_role("link", name="Coreference", exact=True).first.click()
    axe(page)
    page.get_by_role("button", name="Download the data").click()
    with page.expect_download() as expected:
        page.get_by_role("link", name="Download training.conll").click()
    assert expected.value.path().read_bytes() == answers("none", "training")
    axe(page)
    page.goto(TASK)
    send(page, BROKEN)
    page.get_by_role("alert").get_by_text("nothing was submitted").wait_for(timeout=PATIENCE)
    complaints.clear()  # the status 422
    assert "CB104" in page.locator("table.findings").inner_text()
    axe(page)
    page.fill("#label", "first")
    send(page, answers("good", "training"))
    page.wait_for_url("**/submissions/*", timeout=PATIENCE)
    page.get_by_role("heading", name="Scored", exact=True).wait_for(timeout=PATIENCE)
    assert "90.30" in page.locator("#scores ~ .lead").inner_text()
    assert page.get_by_role("heading", name="Errors", exact=True).is_visible()
    axe(page)


def test_without_javascript_everything_essential_can_be_done(site: Served, visit):
    enter(site.platform)
    site.clock.set(site.platform.campaign.phase("test").opens)
    page = visit(java_script_enabled=False)
    sign_in(page, "a-team@example.org")
    page.goto(TEST)
    page.get_by_role("checkbox", name="48 hours begin now").check()
    page.get_by_role("button", name="Open our window").click()
    with page.expect_download() as expected:
        page.get_by_role("link", name="Download test.conll").click()
    assert expected.value.path().read_bytes() == answers("none", "test")
    page.goto(TEST)
    assert "2 days" in page.locator("section", has_text="Download the data").inner_text()
    send(page, answers("good", "test"), "Only check")
    page.get_by_role("heading", name="can be read").wait_for(timeout=PATIENCE)
    page.get_by_role("link", name="Back to the task").click()
    send(page, answers("good", "test"))
    page.wait_for_url("**/submissions/*", timeout=PATIENCE)
    # the page asks for itself again until there is nothing to wait for
    page.get_by_role("heading", name="Scored", exact=True).wait_for(timeout=PATIENCE)
    assert "when the organisers publish" in page.locator("#state").inner_text()
    assert page.get_by_role("heading", name="Scores", exact=True).count() == 0
    receipt = page.locator(".json").text_content()
    page.goto("/receipt")
    page.fill("#receipt", receipt)
    page.get_by_role("button", name="Check").click()
    assert page.get_by_role("heading", name="Genuine", exact=True).is_visible()
    page.goto("/submissions")
    page.get_by_role("link", name="answers.conll").click()
    page.check("#sure")
    page.get_by_role("button", name="Withdraw").click()
    assert page.get_by_role("heading", name="Withdrawn").is_visible()
    page.get_by_role("button", name="Sign out").click()
    assert page.get_by_role("link", name="Sign in").first.is_visible()


def test_keys_alone_are_enough_to_sign_in_and_make_a_token(site: Served, visit):
    enter(site.platform)
    page = visit()
    page.goto("/sign-in")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip-link"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "email"
    page.keyboard.type("a-team@example.org")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Sign out").wait_for()
    page.goto("/tokens")
    page.focus("#label")
    page.keyboard.type("laptop")
    page.keyboard.press("Enter")
    page.locator("#secret").wait_for()
    assert page.locator("#secret").inner_text().startswith("cb_")


@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=pytest.mark.slow)])
def test_every_page_fits_a_telephone_and_keeps_nobody_out(site: Served, visit, axe, complaints, scheme: str):
    enter(site.platform, "A team whose name is rather long, as those of consortia are")
    enter(site.platform)
    organiser(site.platform)
    everybody = ["/", "/register", "/sign-in", "/receipt", "/api", "/boards", TASK, TEST]
    for email, paths in (
        ("", [*everybody, "/nothing"]),
        ("a-team@example.org", ["/team", "/account", TASK, "/submissions", "/tokens", f"{TASK}/board"]),
        (
            "organiser@example.org",
            ["/organise", "/organise/teams", "/organise/submissions", "/organise/audit", "/organise/phases/training"],
        ),
    ):
        page = visit(color_scheme=scheme, viewport={"width": 360, "height": 740})
        if email:
            sign_in(page, email)
        for path in paths:
            page.goto(path)
            wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert page.evaluate(wide) <= 0, path
            axe(page)
    complaints.clear()  # the status 404


def test_a_published_board_is_seen_by_everybody(site: Served, visit, axe):
    phase = site.platform.campaign.phase("training")
    site.clock.set(phase.closes)
    with site.platform.database.write() as connection:
        publish(connection, phase, person=None, now=site.clock())
    page = visit()
    page.goto("/")
    page.get_by_role("link", name="Board of Coreference, Training").click()
    axe(page)
