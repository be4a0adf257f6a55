"""Answers that are decided together are decided as one after the other."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from corefbench.campaign.domain.admission import Refusal
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.people import Person
from corefbench.campaign.storage.submissions import (
    Arrival,
    Submission,
    accept_all,
    submissions_of,
)
from corefbench.errors import UnknownName
from tests.campaign import MovableClock, download, enter, submit

DAY = timedelta(days=1)


def brought(
    platform: Platform, person: Person, data: bytes, request: str | None = None, task: str = ""
) -> Arrival:
    stored = platform.files.put(data)
    return Arrival(
        team=person.team or "",
        person=person.id,
        phase="test",
        task=task or "coreference",
        file_name="run.conll",
        sha256=stored.sha256,
        bytes=stored.bytes,
        request=request,
    )


def told(made: list[Submission | Refusal]) -> list[str]:
    return [one.code if isinstance(one, Refusal) else "taken" for one in made]


@pytest.fixture
def opened(platform: Platform, clock: MovableClock) -> Platform:
    """In the test phase: three submissions in all, two a day, after a download."""
    clock.set(platform.campaign.phase("test").opens + timedelta(hours=1))
    return platform


def test_each_is_decided_after_those_before_it(opened: Platform, clock: MovableClock) -> None:
    ada, eve, late = (enter(opened, name) for name in ("Ada", "Eve", "Late"))
    new = enter(opened, "New", approved=False)
    for person in (ada, eve):
        download(opened, person)
    today, closed = clock(), opened.campaign.phase("test").closes
    arrivals = [
        (brought(opened, ada, b"1", "r1"), today),
        (brought(opened, eve, b"1", "r1"), today),
        (brought(opened, ada, b"1", "r1"), closed),  # sent again: the same, whenever
        (brought(opened, ada, b"2", "r1"), today),
        (brought(opened, ada, b"2", "r2"), today),
        (brought(opened, ada, b"3"), today),
        (brought(opened, ada, b"3"), today + DAY),
        (brought(opened, ada, b"4"), today + DAY),
        (brought(opened, eve, b"5"), closed),
        (brought(opened, late, b"6"), today),
        (brought(opened, new, b"7"), today),
        (brought(opened, eve, b"5"), today),
    ]
    with opened.database.write() as connection:
        made = accept_all(connection, opened.campaign, arrivals)
    said = "taken taken taken CB318 taken CB305 taken CB305 CB303 CB304 CB301 taken".split()  # noqa: SIM905
    assert told(made) == said
    assert made[2] == made[0]
    with opened.database.read() as connection:
        kept = {one.id: one for one in submissions_of(connection, None)}
    taken = [one for one in made if isinstance(one, Submission)]
    assert kept == {one.id: one for one in taken}
    assert len(kept) == 5
    assert [one.received for one in taken[-2:]] == [today + DAY, today]


def test_what_was_taken_before_is_counted(opened: Platform, clock: MovableClock) -> None:
    ada = enter(opened)
    download(opened, ada)
    before = submit(opened, ada, b"1", "test", request="r1")
    arrivals = [brought(opened, ada, data.encode(), f"r{data}") for data in "123"]
    with opened.database.write() as connection:
        made = accept_all(connection, opened.campaign, [(one, clock()) for one in arrivals])
    assert told(made) == ["taken", "taken", "CB305"]
    assert made[0] == before


def test_a_task_that_is_not_there_lets_nothing_be_taken(opened: Platform) -> None:
    ada = enter(opened)
    download(opened, ada)
    arrivals = [brought(opened, ada, b"1"), brought(opened, ada, b"2", task="nothing")]
    with pytest.raises(UnknownName), opened.database.write() as connection:
        accept_all(connection, opened.campaign, [(one, opened.clock()) for one in arrivals])
    with opened.database.read() as connection:
        assert submissions_of(connection, None) == []


def test_many_together_from_several_sides_keep_the_quota(opened: Platform) -> None:
    people = [enter(opened, f"Team {number}") for number in range(6)]
    for person in people:
        download(opened, person)

    def send(side: int) -> list[str]:
        order = people if side % 2 else people[::-1]
        arrivals = [brought(opened, one, b"same") for one in order for _ in range(3)]
        with opened.database.write() as connection:
            made = accept_all(connection, opened.campaign, [(a, opened.clock()) for a in arrivals])
        return told(made)

    with ThreadPoolExecutor(4) as sides:
        said = [code for made in sides.map(send, range(4)) for code in made]
    assert said.count("taken") == 2 * len(people)
    assert said.count("CB305") == len(said) - 2 * len(people)
    with opened.database.read() as connection:
        assert len(submissions_of(connection, None)) == 2 * len(people)
