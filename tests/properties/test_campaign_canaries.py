"""Anonymity and blindness: no canary is seen by anyone who may not see it (R10).

Every route with every role, in every state of the campaign, all exports and error pages, and the
static site. What is seen by those who may is counted, too: a search that finds nothing at all
would prove nothing.
"""

import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from corefbench.campaign.domain.config import Anonymity, ScoreRelease
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.credentials import create_session, hash_secret
from corefbench.campaign.storage.settings import publish
from corefbench.campaign.storage.users import assign_pseudonyms, get_pseudonyms
from corefbench.campaign.views.app import create_app
from corefbench.campaign.views.auth import SESSION_COOKIE
from corefbench.campaign.views.routes import ROUTES, Route
from corefbench.campaign.views.static_site import write_site
from tests.campaign import MovableClock, enter
from tests.campaign_visits import Client, connected
from tests.properties.canaries import STATES, Aviary, State

VIEWERS = ("visitor", "4", "0", "1", "organiser")
"""The fourth team has not been approved."""
_LEAVES = ("sign-out",)
"""Would end the session that looks."""
_STRANGE = ("/nowhere", "/api/v1/nowhere", "/submissions/../organise", "/organise/phases/none")


class Watch:
    """Looks at answers, and keeps what was seen by whom."""

    def __init__(self, aviary: Aviary) -> None:
        self.aviary = aviary
        self.leaked: list[tuple[str, ...]] = []
        self.seen: defaultdict[str, set[str]] = defaultdict(set)
        self.looked = 0
        self._words: re.Pattern[str] = re.compile("")
        self._known: dict[str, Any] = {}

    def prepare(self) -> None:
        """Know all canaries that there are by now."""
        self._known = {canary.word: canary for canary in self.aviary.canaries}
        # The ends of numbers are looked at: 83.47 is not in 183.471.
        words = sorted(map(re.escape, self._known), key=len, reverse=True)
        self._words = re.compile(rf"(?<![\d.])(?:{'|'.join(words)})(?!\d)|{'|'.join(words)}")

    def look(self, viewer: str, route: str, where: str, answer: bytes) -> None:
        """Find canaries in an answer, and in the files of an archive."""
        self.looked += 1
        if answer[:2] == b"PK":
            with zipfile.ZipFile(io.BytesIO(answer)) as archive:
                for name in archive.namelist():
                    self.look("visitor", route, f"{where}/{name}", archive.read(name))
            return
        for word in set(self._words.findall(answer.decode("utf-8", "replace").lower())):
            self.seen[viewer].add(word)
            if not self.aviary.may_see(self._known[word], viewer, route):
                canary = self._known[word]
                self.leaked.append((self.aviary.state, viewer, where, canary.kind, word))


def addresses(route: Route, aviary: Aviary, viewer: str, *, full: bool) -> Iterator[str]:
    """The route with all that its path may hold; with ``full`` of every kind all there are."""
    values = aviary.values()
    if not full:  # one of the first team's, one of another's
        for name in ("submission", "download", "token"):
            values[name] = [*values[name][:2], *values[name][-2:]]
        values["team"] = values["team"][:1]
    if route.method == "POST" and route.own and viewer in "01":
        values = {**values, **others(aviary, viewer)}
    for chosen in product(*(values.get(name) or ["none"] for name in route.parameters)):
        yield route.url(**dict(zip(route.parameters, chosen, strict=True)))


def others(aviary: Aviary, viewer: str) -> dict[str, list[str]]:
    """What is not one's own: nothing is withdrawn or revoked here."""
    own = aviary.people[int(viewer)].team
    values = aviary.values()
    number = int(viewer)
    return {
        "submission": [one.id for one in aviary.submissions if one.team != own][:2],
        "token": [one for n, one in enumerate(values["token"]) if n != number][:2],
    }


def visit(client: Client, aviary: Aviary, watch: Watch, *, full: bool) -> None:
    """Every route with every role."""
    watch.prepare()
    for viewer in VIEWERS:
        headers, csrf = signed_in(aviary, viewer)
        for route in ROUTES.values():
            for path in addresses(route, aviary, viewer, full=full):
                for sent in ({},) if route.method == "GET" else ({}, {"csrf": csrf}):
                    if route.name in _LEAVES and sent:
                        continue
                    client.cookies.clear()
                    form = {"data": sent} if route.method == "POST" else {}
                    answer = client.request(route.method, path, headers=headers, **form)
                    assert answer.status_code < 500, (viewer, route.method, path, answer.text)
                    told = "\n".join(f"{name}: {v}" for name, v in answer.headers.items())
                    watch.look(viewer, route.name, path, told.encode())
                    watch.look(viewer, route.name, path, answer.content)
            if route.is_api and viewer in "014":
                for path in addresses(route, aviary, viewer, full=False):
                    client.cookies.clear()
                    token = {"authorization": f"Bearer {aviary.tokens[int(viewer)]}"}
                    answer = client.request(route.method, path, headers=token)
                    watch.look(viewer, route.name, path, answer.content)
        for path in _STRANGE:
            client.cookies.clear()
            watch.look(viewer, "", path, client.get(path, headers=headers).content)


def signed_in(aviary: Aviary, viewer: str) -> tuple[dict[str, str], str]:
    """The headers of a browser in which the viewer has signed in, and the token of its forms."""
    if viewer == "visitor":
        return {}, ""
    person = aviary.organiser if viewer == "organiser" else aviary.people[int(viewer)]
    cookie = f"{viewer}-{aviary.state}"
    with aviary.platform.database.write() as connection:
        create_session(
            connection,
            digest=hash_secret(cookie),
            person=person.id,
            csrf=f"csrf-{cookie}",
            now=aviary.clock(),
            expires=aviary.clock() + timedelta(days=1),
        )
    return {"cookie": f"{SESSION_COOKIE}={cookie}"}, f"csrf-{cookie}"


def play(
    platform: Platform,
    clock: MovableClock,
    anonymity: Anonymity,
    release: ScoreRelease,
    states: tuple[State, ...],
    site: Path,
    *,
    full: bool,
) -> Watch:
    """Walk through the campaign and look around in these states."""
    aviary = Aviary(platform, clock, anonymity, release)
    watch = Watch(aviary)
    with connected(create_app(aviary.platform, worker=False)) as client:
        for state in states:
            aviary.proceed(state)
            visit(client, aviary, watch, full=full)
    aviary.proceed("published")
    write_site(aviary.platform, site)
    for path in site.rglob("*"):
        if path.is_file():
            watch.look("visitor", "site", str(path.relative_to(site)), path.read_bytes())
    return watch


def check(watch: Watch) -> None:
    """Nothing is seen that may not be; what may be seen is found."""
    assert not watch.leaked, watch.leaked[:20]
    aviary = watch.aviary
    assert len(aviary.canaries) >= 50
    told = {c.word for c in aviary.canaries if c.kind in ("private", "name") and c.owner == "0"}
    assert told <= watch.seen["0"]
    assert {c.word for c in aviary.canaries if c.kind == "name"} <= watch.seen["organiser"]
    assert any(c.word in watch.seen["visitor"] for c in aviary.canaries if c.kind == "score")
    names = {c.word for c in aviary.canaries if c.kind == "name" and c.owner in "0123"}
    shown = names & watch.seen["visitor"]
    assert shown == (set() if aviary.platform.campaign.anonymity == "always" else names)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_no_canary_is_seen_by_anyone_who_may_not(platform: Platform, clock: MovableClock, tmp_path: Path):
    check(play(platform, clock, "until-published", "at-once", ("test",), tmp_path / "site", full=False))


@pytest.mark.slow
@pytest.mark.parametrize("release", ["published", "at-once"])
@pytest.mark.parametrize("anonymity", ["until-published", "always"])
def test_no_canary_is_seen_in_any_state(
    platform: Platform, clock: MovableClock, anonymity: Anonymity, release: ScoreRelease, tmp_path: Path
):
    check(play(platform, clock, anonymity, release, STATES, tmp_path / "site", full=True))


def board_seen(client: Client, aviary: Aviary, viewer: int, phase: str) -> list[str]:
    """The teams on a board, as they are called there."""
    client.cookies.clear()
    path = f"/api/v1/phases/{phase}/tasks/coreference/board"
    answer = client.get(path, headers={"authorization": f"Bearer {aviary.tokens[viewer]}"})
    return [line["team"] for line in answer.json()["lines"]]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_published_phase_does_not_tell_who_is_who_in_the_next(platform: Platform, clock: MovableClock):
    aviary = Aviary(platform, clock, "until-published", "at-once")
    with connected(create_app(aviary.platform, worker=False)) as client:
        aviary.proceed("training")
        hidden = set(board_seen(client, aviary, 1, "training"))
        aviary.proceed("test")
        with aviary.platform.database.write() as connection:
            training = aviary.platform.campaign.phase("training")
            publish(connection, training, person=None, now=clock())
        named = set(board_seen(client, aviary, 1, "training"))
        assert len(hidden) == len(named) == 4
        assert len(hidden & named) == 1  # one's own team has always had its name
        old = hidden - named
        viewers = ("visitor", "4", "0", "2")
        seen_by = {viewer: signed_in(aviary, viewer)[0] for viewer in viewers}
        for viewer, route in product(viewers, ROUTES.values()):
            if route.method != "GET" or "phase" not in route.parameters:
                continue
            headers = seen_by[viewer]
            for path in addresses(route, aviary, viewer, full=True):
                if "/training" not in path:
                    client.cookies.clear()
                    told = client.get(path, headers=headers).text
                    assert not [name for name in old if name in told], (viewer, path)
        assert not old & set(board_seen(client, aviary, 0, "test"))


def test_pseudonyms_of_two_phases_have_nothing_in_common(platform: Platform):
    people = [enter(platform, f"Team {number}") for number in range(60)]
    with platform.database.write() as connection:
        phases = ("training", "test")
        assign_pseudonyms(connection, {(one.team or "", name) for one in people for name in phases})
        called = get_pseudonyms(connection)
    pairs = [tuple(called[one.team or "", name] for name in phases) for one in people]
    assert len({name for pair in pairs for name in pair}) == 2 * len(people)
    # By chance one pair in 109 has the same bird, one in 900 the same number.
    for part in (0, 1):
        assert sum(one.split()[part] == other.split()[part] for one, other in pairs) < 8
    # In the order of the one, the others are in no order: the ranks' correlation is 0 ± 0.13.
    ranks = [sorted(names).index for names in zip(*pairs, strict=True)]
    places = [(ranks[0](one), ranks[1](other)) for one, other in pairs]
    distance = sum((one - other) ** 2 for one, other in places)
    count = len(places)
    assert abs(1 - 6 * distance / (count * (count**2 - 1))) < 0.7
