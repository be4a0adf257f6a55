from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select

from corefbench.campaign.domain.evaluation import Failed, Invalid, Scored
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.audit import list_audit_entries
from corefbench.campaign.storage.evaluations import get_evaluations
from corefbench.campaign.storage.queue import claim_next, extend_lease, record_outcome, release_lease, requeue_expired
from corefbench.campaign.storage.submissions import (
    Submission,
    get_charged_times,
    get_submission,
    requeue_submission,
    withdraw_submission,
)
from corefbench.campaign.storage.tables import evaluations
from corefbench.diagnostics import Finding
from corefbench.errors import UsageError
from tests.campaign import MovableClock, enter, evaluation, score, submit

MINUTE = timedelta(minutes=1)


@pytest.fixture
def made(platform: Platform) -> Submission:
    one = submit(platform, enter(platform))
    assert isinstance(one, Submission)
    return one


def take(platform: Platform, worker: str) -> Submission | None:
    with platform.database.write() as connection:
        return claim_next(connection, worker, platform.clock(), MINUTE)


def now(platform: Platform, made: Submission) -> Submission:
    with platform.database.read() as connection:
        found = get_submission(connection, made.id)
    assert found is not None
    return found


def test_a_worker_takes_the_next_of_the_queue(platform: Platform, made: Submission) -> None:
    claimed = take(platform, "w1")
    assert claimed is not None
    assert (claimed.id, claimed.state, claimed.worker) == (made.id, "scoring", "w1")
    assert (claimed.lease, claimed.attempts) == (platform.clock() + MINUTE, 1)
    assert now(platform, made) == claimed
    assert take(platform, "w2") is None


def test_no_two_workers_take_the_same(platform: Platform) -> None:
    ada = enter(platform)
    for number in range(12):
        submit(platform, ada, b"%d" % number)

    def claims(worker: str) -> list[str]:
        found = []
        while (one := take(platform, worker)) is not None:
            found.append(one.id)
        return found

    with ThreadPoolExecutor(4) as pool:
        taken = [one for ids in pool.map(claims, "abcd") for one in ids]
    assert len(taken) == len(set(taken)) == 12


def test_a_heartbeat_makes_a_lease_longer_for_its_holder(
    platform: Platform, made: Submission, clock: MovableClock
) -> None:
    take(platform, "w1")
    clock.forward(seconds=30)
    with platform.database.write() as connection:
        assert extend_lease(connection, made.id, "w1", clock(), MINUTE)
        assert not extend_lease(connection, made.id, "w2", clock(), MINUTE)
        assert requeue_expired(connection, clock() + MINUTE - timedelta(microseconds=1)) == []
    assert now(platform, made).lease == clock() + MINUTE


def test_a_lost_lease_goes_back_to_the_queue_and_to_another(
    platform: Platform, made: Submission, clock: MovableClock
) -> None:
    take(platform, "w1")
    clock.forward(minutes=1)
    with platform.database.write() as connection:
        (lost,) = requeue_expired(connection, clock())
        assert (lost.state, lost.worker, lost.lease) == ("queued", None, None)
        assert not extend_lease(connection, made.id, "w1", clock(), MINUTE)
    claimed = take(platform, "w2")
    assert claimed is not None
    assert claimed.attempts == 2


def test_who_lost_the_lease_cannot_finish(platform: Platform, made: Submission, clock: MovableClock) -> None:
    take(platform, "w1")
    clock.forward(minutes=1)
    with platform.database.write() as connection:
        requeue_expired(connection, clock())
    take(platform, "w2")
    stored = platform.files.put(b"{}")
    outcome = Scored(evaluation=evaluation(0.9))
    with platform.database.write() as connection:
        assert record_outcome(connection, made.id, "w1", outcome, clock(), kept=stored) is None
        assert connection.scalars(select(evaluations)).all() == []
    assert now(platform, made).worker == "w2"


def test_what_was_withdrawn_while_it_was_scored_stays_withdrawn(
    platform: Platform, made: Submission, clock: MovableClock
) -> None:
    take(platform, "w1")
    with platform.database.write() as connection:
        withdraw_submission(connection, made.id, person=None, now=clock())
        assert record_outcome(connection, made.id, "w1", Failed(reason=""), clock()) is None
        assert not release_lease(connection, made.id, "w1", clock())
    assert now(platform, made).state == "withdrawn"


def test_after_three_lost_leases_the_platform_has_failed_and_pays(
    platform: Platform, made: Submission, clock: MovableClock
) -> None:
    for _ in range(3):
        assert take(platform, "w1") is not None
        clock.forward(minutes=1)
        with platform.database.write() as connection:
            requeue_expired(connection, clock(), attempts=3)
    assert now(platform, made).state == "failed"
    with platform.database.read() as connection:
        assert get_charged_times(connection, made.team, made.phase, made.task) == ()
        assert list_audit_entries(connection)[0].action == "failed"


def test_a_worker_that_stops_gives_back_what_it_has(platform: Platform, made: Submission, clock: MovableClock) -> None:
    take(platform, "w1")
    with platform.database.write() as connection:
        assert not release_lease(connection, made.id, "w2", clock())
        assert release_lease(connection, made.id, "w1", clock())
    assert (now(platform, made).state, now(platform, made).attempts) == ("queued", 0)


def test_scores_are_kept_with_the_submission(platform: Platform, made: Submission) -> None:
    scored = score(platform, 0.25)
    assert scored is not None
    assert scored.evaluation
    with platform.database.read() as connection:
        kept = get_evaluations(connection, [scored.evaluation])[scored.evaluation]
    assert kept.submission == made.id
    assert (kept.headline, kept.covered, kept.documents) == (0.25, 2, 3)
    assert b"0.25" in platform.files.read(kept.sha256)
    assert (scored.state, scored.worker, scored.lease) == ("scored", None, None)


def test_invalid_answers_say_why(platform: Platform, made: Submission) -> None:
    finding = Finding(code="CB104", severity="error", message="a bracket is closed")
    assert score(platform, Invalid(findings=(finding,))) is not None
    assert (now(platform, made).state, "CB104" in now(platform, made).message) == ("invalid", True)


def test_what_fails_is_tried_again(platform: Platform, made: Submission) -> None:
    states = []
    for _ in range(3):
        tried = score(platform, Failed(reason="no memory"))
        assert tried is not None
        states.append(tried.state)
    assert states == ["queued", "queued", "failed"]


def test_scores_without_their_file_are_an_error(platform: Platform, made: Submission) -> None:
    take(platform, "w1")
    outcome = Scored(evaluation=evaluation(0.9))
    with platform.database.write() as connection, pytest.raises(UsageError):
        record_outcome(connection, made.id, "w1", outcome, platform.clock())


def test_a_rescoring_that_fails_leaves_the_scores_as_they_were(
    platform: Platform, made: Submission, clock: MovableClock
) -> None:
    scored = score(platform, 0.25)
    assert scored is not None
    with platform.database.write() as connection:
        requeue_submission(connection, platform.campaign, made.id, person=None, now=clock())
    for _ in range(3):
        assert score(platform, Failed(reason="no memory")) is not None
    after = now(platform, made)
    assert (after.state, after.evaluation) == ("scored", scored.evaluation)
    with platform.database.read() as connection:
        assert len(get_charged_times(connection, made.team, made.phase, made.task)) == 1
        assert list_audit_entries(connection)[0].detail == "no memory"


def test_a_rescoring_that_finds_answers_invalid_takes_the_scores_away(
    platform: Platform, made: Submission, clock: MovableClock
) -> None:
    score(platform, 0.25)
    with platform.database.write() as connection:
        requeue_submission(connection, platform.campaign, made.id, person=None, now=clock())
    assert score(platform, Invalid(findings=())) is not None
    assert (now(platform, made).state, now(platform, made).evaluation) == ("invalid", None)
