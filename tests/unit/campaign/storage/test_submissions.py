"""Accepting, finding and changing submissions."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from corefbench.campaign.domain.evaluation import Failed
from corefbench.campaign.domain.submissions import Refusal
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.audit import list_audit_entries
from corefbench.campaign.storage.queue import get_queue_positions
from corefbench.campaign.storage.settings import set_frozen
from corefbench.campaign.storage.submissions import (
    NewSubmission,
    Submission,
    accept_submissions,
    disqualify_submission,
    get_charged_times,
    get_submission,
    list_submissions,
    requeue_submission,
    withdraw_submission,
)
from corefbench.campaign.storage.users import User
from corefbench.errors import UnknownName, UsageError
from tests.campaign import MovableClock, download, enter, score, submit

HOUR = timedelta(hours=1)


def taken(one: Submission | Refusal) -> Submission:
    assert isinstance(one, Submission), one
    return one


def code(one: Submission | Refusal) -> str:
    assert isinstance(one, Refusal), one
    return one.code


def in_test(platform: Platform, clock: MovableClock) -> None:
    clock.set(platform.campaign.phase("test").opens + HOUR)


def test_answers_are_taken_as_they_are(platform: Platform) -> None:
    ada = enter(platform)
    made = taken(submit(platform, ada, b"abc", label="first", file_name="a.conll"))
    with platform.database.read() as connection:
        assert get_submission(connection, made.id) == made
        assert [one.state for one in list_submissions(connection, None)] == ["queued"]
    assert (made.state, made.received, made.bytes) == ("queued", platform.clock(), 3)
    assert (made.label, made.file_name, made.attempts) == ("first", "a.conll", 0)
    assert platform.files.read(made.sha256) == b"abc"
    assert (made.receipt.sha256, made.receipt.number) == (made.sha256, made.id)


def test_sent_twice_under_one_number_is_taken_once(platform: Platform, clock: MovableClock) -> None:
    ada, eve = enter(platform), enter(platform, "Others")
    first = taken(submit(platform, ada, b"abc", request="r1"))
    clock.set(platform.campaign.phase("training").closes + HOUR)
    assert submit(platform, ada, b"abc", request="r1") == first
    assert code(submit(platform, ada, b"abd", request="r1")) == "CB318"
    assert code(submit(platform, ada, b"abc", request="r2")) == "CB303"
    assert code(submit(platform, eve, b"abc", request="r1")) == "CB303"


def test_the_rules_are_those_of_the_domain(platform: Platform, clock: MovableClock) -> None:
    ada, eve = enter(platform), enter(platform, "Others", approved=False)
    assert code(submit(platform, eve)) == "CB301"
    assert code(submit(platform, ada, phase="test")) == "CB302"
    with pytest.raises(UnknownName):
        submit(platform, ada, task="links")
    with platform.database.write() as connection:
        set_frozen(connection, True, person=None, now=clock())
    assert code(submit(platform, ada)) == "CB306"
    with platform.database.write() as connection:
        set_frozen(connection, False, person=None, now=clock())
    in_test(platform, clock)
    assert code(submit(platform, ada, phase="test")) == "CB304"
    download(platform, ada)
    taken(submit(platform, ada, phase="test"))
    clock.forward(hours=48)
    assert code(submit(platform, ada, phase="test")) == "CB304"


def test_a_quota_is_of_a_day_and_of_the_phase(platform: Platform, clock: MovableClock) -> None:
    ada = enter(platform)
    in_test(platform, clock)
    download(platform, ada)
    codes = [submit(platform, ada, phase="test") for _ in range(3)]
    assert [isinstance(one, Submission) for one in codes] == [True, True, False]
    clock.forward(hours=24)
    codes = [submit(platform, ada, phase="test") for _ in range(2)]
    assert [isinstance(one, Submission) for one in codes] == [True, False]
    with platform.database.read() as connection:
        assert len(get_charged_times(connection, ada.team or "", "test", "coreference")) == 3


def test_a_day_is_that_of_the_arrival_whichever_is_looked_at_first(platform: Platform, clock: MovableClock) -> None:
    ada = enter(platform)
    in_test(platform, clock)
    download(platform, ada)
    midnight = platform.campaign.phase("test").opens + 24 * HOUR
    for hours in (0, 1, -1):
        clock.set(midnight + hours * HOUR)
        taken(submit(platform, ada, phase="test"))


def test_of_those_that_arrive_at_once_no_more_are_taken_than_the_quota(platform: Platform, clock: MovableClock) -> None:
    ada = enter(platform)
    in_test(platform, clock)
    download(platform, ada)

    def attempt(number: int) -> bool:
        return isinstance(submit(platform, ada, b"%d" % number, phase="test"), Submission)

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(attempt, range(48))) == 2


def test_of_one_that_is_sent_many_times_at_once_one_is_taken(platform: Platform) -> None:
    ada = enter(platform)

    def attempt(_: int) -> str:
        return taken(submit(platform, ada, request="r1")).id

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(attempt, range(16)))) == 1


def test_the_queue_is_in_the_order_of_arrival(platform: Platform, clock: MovableClock) -> None:
    ada = enter(platform)
    made = []
    for _ in range(3):
        made.append(taken(submit(platform, ada)))
        clock.forward(seconds=1)
    with platform.database.read() as connection:
        assert get_queue_positions(connection) == {one.id: number for number, one in enumerate(made, start=1)}
        assert list_submissions(connection, ada.team) == made
        assert list_submissions(connection, None, "training", "links") == []
    score(platform, 0.5)
    with platform.database.read() as connection:
        assert get_queue_positions(connection) == {made[1].id: 1, made[2].id: 2}


def test_what_is_withdrawn_stays_so_and_counts(platform: Platform, clock: MovableClock) -> None:
    ada = enter(platform)
    made = taken(submit(platform, ada))
    with platform.database.write() as connection:
        gone = withdraw_submission(connection, made.id, person=ada.id, now=clock())
        assert gone.state == "withdrawn"
        assert len(get_charged_times(connection, made.team, made.phase, made.task)) == 1
        with pytest.raises(UsageError, match="CB307"):
            disqualify_submission(connection, made.id, person=None, reason="late", now=clock())
        with pytest.raises(UsageError, match="CB307"):
            requeue_submission(connection, platform.campaign, made.id, person=None, now=clock())
        with pytest.raises(UsageError, match="CB003"):
            withdraw_submission(connection, "none", person=ada.id, now=clock())
        assert [entry.action for entry in list_audit_entries(connection)][:1] == ["withdraw"]


def test_a_disqualification_has_a_reason(platform: Platform, clock: MovableClock) -> None:
    made = taken(submit(platform, enter(platform)))
    with platform.database.write() as connection:
        gone = disqualify_submission(connection, made.id, person=None, reason="copied", now=clock())
        assert (gone.state, gone.message) == ("disqualified", "copied")
        entry = list_audit_entries(connection)[0]
    assert (entry.action, entry.subject, entry.detail) == ("disqualify", made.id, "copied")


def test_what_was_scored_can_be_scored_again(platform: Platform, clock: MovableClock) -> None:
    made = taken(submit(platform, enter(platform)))
    scored = score(platform, 0.5)
    assert scored is not None
    with platform.database.write() as connection:
        again = taken(requeue_submission(connection, platform.campaign, made.id, person=None, now=clock()))
    # Until the new scores are there, those of before count.
    assert (again.state, again.attempts, again.evaluation) == ("queued", 0, scored.evaluation)
    assert again.received == made.received


def test_a_place_that_was_given_back_is_used_once(platform: Platform, clock: MovableClock) -> None:
    ada = enter(platform)
    in_test(platform, clock)
    download(platform, ada)
    failed = taken(submit(platform, ada, phase="test"))
    for _ in range(3):
        score(platform, Failed(reason="no memory"))
    with platform.database.read() as connection:
        assert get_submission(connection, failed.id).state == "failed"
    taken(submit(platform, ada, phase="test"))
    taken(submit(platform, ada, phase="test"))
    with platform.database.write() as connection:
        refused = requeue_submission(connection, platform.campaign, failed.id, person=None, now=clock())
    assert code(refused) == "CB305"


def test_what_failed_cannot_use_the_quota_again_by_being_withdrawn(platform: Platform, clock: MovableClock) -> None:
    made = taken(submit(platform, enter(platform)))
    for _ in range(3):
        score(platform, Failed(reason="no memory"))
    with platform.database.write() as connection:
        with pytest.raises(UsageError, match="CB307"):
            withdraw_submission(connection, made.id, person=None, now=clock())
        with pytest.raises(UsageError, match="CB307"):
            disqualify_submission(connection, made.id, person=None, reason="late", now=clock())


DAY = timedelta(days=1)


def brought(platform: Platform, person: User, data: bytes, request: str | None = None, task: str = "") -> NewSubmission:
    stored = platform.files.put(data)
    return NewSubmission(
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
        made = accept_submissions(connection, opened.campaign, arrivals)
    said = "taken taken taken CB318 taken CB305 taken CB305 CB303 CB304 CB301 taken".split()  # noqa: SIM905
    assert told(made) == said
    assert made[2] == made[0]
    with opened.database.read() as connection:
        kept = {one.id: one for one in list_submissions(connection, None)}
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
        made = accept_submissions(connection, opened.campaign, [(one, clock()) for one in arrivals])
    assert told(made) == ["taken", "taken", "CB305"]
    assert made[0] == before


def test_a_task_that_is_not_there_lets_nothing_be_taken(opened: Platform) -> None:
    ada = enter(opened)
    download(opened, ada)
    arrivals = [brought(opened, ada, b"1"), brought(opened, ada, b"2", task="nothing")]
    with pytest.raises(UnknownName), opened.database.write() as connection:
        accept_submissions(connection, opened.campaign, [(one, opened.clock()) for one in arrivals])
    with opened.database.read() as connection:
        assert list_submissions(connection, None) == []


def test_many_together_from_several_sides_keep_the_quota(opened: Platform) -> None:
    people = [enter(opened, f"Team {number}") for number in range(6)]
    for person in people:
        download(opened, person)

    def send(side: int) -> list[str]:
        order = people if side % 2 else people[::-1]
        arrivals = [brought(opened, one, b"same") for one in order for _ in range(3)]
        with opened.database.write() as connection:
            made = accept_submissions(connection, opened.campaign, [(a, opened.clock()) for a in arrivals])
        return told(made)

    with ThreadPoolExecutor(4) as sides:
        said = [code for made in sides.map(send, range(4)) for code in made]
    assert said.count("taken") == 2 * len(people)
    assert said.count("CB305") == len(said) - 2 * len(people)
    with opened.database.read() as connection:
        assert len(list_submissions(connection, None)) == 2 * len(people)
