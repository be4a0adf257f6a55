from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from corefbench.campaign.domain.admission import Refusal
from corefbench.campaign.domain.outcome import Failed
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.audit import entries
from corefbench.campaign.storage.settings import set_frozen
from corefbench.campaign.storage.submissions import (
    Submission,
    counts,
    disqualify,
    queue_position,
    requeue,
    standing,
    submission,
    submissions_of,
    withdraw,
)
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
        assert submission(connection, made.id) == made
        assert counts(connection) == {"queued": 1}
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
        assert len(standing(connection, ada.team or "", "test", "coreference").charged) == 3


def test_a_day_is_that_of_the_arrival_whichever_is_looked_at_first(
    platform: Platform, clock: MovableClock
) -> None:
    ada = enter(platform)
    in_test(platform, clock)
    download(platform, ada)
    midnight = platform.campaign.phase("test").opens + 24 * HOUR
    for hours in (0, 1, -1):
        clock.set(midnight + hours * HOUR)
        taken(submit(platform, ada, phase="test"))


def test_of_those_that_arrive_at_once_no_more_are_taken_than_the_quota(
    platform: Platform, clock: MovableClock
) -> None:
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
        assert [queue_position(connection, one.id) for one in made] == [1, 2, 3]
        assert queue_position(connection, "none") is None
        assert submissions_of(connection, ada.team) == made
        assert submissions_of(connection, None, "training", "links") == []
    score(platform, 0.5)
    with platform.database.read() as connection:
        assert [queue_position(connection, one.id) for one in made] == [None, 1, 2]


def test_what_is_withdrawn_stays_so_and_counts(platform: Platform, clock: MovableClock) -> None:
    ada = enter(platform)
    made = taken(submit(platform, ada))
    with platform.database.write() as connection:
        gone = withdraw(connection, made.id, person=ada.id, now=clock())
        assert gone.state == "withdrawn"
        assert len(standing(connection, made.team, made.phase, made.task).charged) == 1
        with pytest.raises(UsageError, match="CB307"):
            disqualify(connection, made.id, person=None, reason="late", now=clock())
        with pytest.raises(UsageError, match="CB307"):
            requeue(connection, platform.campaign, made.id, person=None, now=clock())
        with pytest.raises(UsageError, match="CB003"):
            withdraw(connection, "none", person=ada.id, now=clock())
        assert [entry.action for entry in entries(connection)][:1] == ["withdraw"]


def test_a_disqualification_has_a_reason(platform: Platform, clock: MovableClock) -> None:
    made = taken(submit(platform, enter(platform)))
    with platform.database.write() as connection:
        gone = disqualify(connection, made.id, person=None, reason="copied", now=clock())
        assert (gone.state, gone.message) == ("disqualified", "copied")
        entry = entries(connection)[0]
    assert (entry.action, entry.subject, entry.detail) == ("disqualify", made.id, "copied")


def test_what_was_scored_can_be_scored_again(platform: Platform, clock: MovableClock) -> None:
    made = taken(submit(platform, enter(platform)))
    scored = score(platform, 0.5)
    assert scored is not None
    with platform.database.write() as connection:
        again = taken(requeue(connection, platform.campaign, made.id, person=None, now=clock()))
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
        assert submission(connection, failed.id).state == "failed"
    taken(submit(platform, ada, phase="test"))
    taken(submit(platform, ada, phase="test"))
    with platform.database.write() as connection:
        refused = requeue(connection, platform.campaign, failed.id, person=None, now=clock())
    assert code(refused) == "CB305"


def test_what_failed_cannot_use_the_quota_again_by_being_withdrawn(
    platform: Platform, clock: MovableClock
) -> None:
    made = taken(submit(platform, enter(platform)))
    for _ in range(3):
        score(platform, Failed(reason="no memory"))
    with platform.database.write() as connection:
        with pytest.raises(UsageError, match="CB307"):
            withdraw(connection, made.id, person=None, now=clock())
        with pytest.raises(UsageError, match="CB307"):
            disqualify(connection, made.id, person=None, reason="late", now=clock())
