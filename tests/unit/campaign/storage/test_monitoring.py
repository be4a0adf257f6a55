"""What goes on, on both databases."""

from datetime import timedelta

from corefbench.campaign.domain.evaluation import Failed
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.evaluations import get_current_evaluations, get_evaluations
from corefbench.campaign.storage.monitoring import count_submissions_by_team, get_activity
from corefbench.campaign.storage.queue import claim_next, record_outcome
from corefbench.campaign.storage.submissions import get_submission
from tests.campaign import MovableClock, answers, enter
from tests.campaign_play import score_next, send


def test_an_idle_campaign_has_nothing_to_show(platform: Platform):
    with platform.database.read() as connection:
        seen = get_activity(connection, platform.clock())
        assert get_evaluations(connection, []) == {}
    assert (seen.places, seen.queued, seen.waiting_since, seen.leases) == ((), 0, None, ())
    assert seen.teams == {"applied": 0, "approved": 0, "refused": 0}


def test_states_leases_and_faults_are_counted(platform: Platform, clock: MovableClock):
    one, two = enter(platform, "One"), enter(platform, "Two")
    enter(platform, "Three", approved=False)
    scored = send(platform, one, answers("good", "training"), phase="training")
    score_next(platform)
    clock.forward(minutes=1)
    failed = send(platform, two, answers("good", "training"), phase="training")
    with platform.database.write() as connection:
        claim_next(connection, "w1", clock(), timedelta(minutes=1))
        record_outcome(connection, failed.id, "w1", Failed(reason="out of luck"), clock(), attempts=1)
    clock.forward(minutes=1)
    held = send(platform, two, answers("good", "training"), phase="training")
    with platform.database.write() as connection:
        claim_next(connection, "w2", clock(), timedelta(minutes=1))
    waiting = send(platform, one, answers("poor", "training"), phase="training")
    with platform.database.read() as connection:
        seen = get_activity(connection, clock())
        later = get_activity(connection, clock() + timedelta(minutes=2))
        kept = get_submission(connection, scored.id)
        assert kept is not None
        evaluations = get_evaluations(connection, [kept.evaluation])
        assert list(evaluations) == [kept.evaluation]
        assert get_current_evaluations(connection) == {("training", "coreference"): [*evaluations.values()]}
        assert count_submissions_by_team(connection) == {one.team: 2, two.team: 2}
    (place,) = seen.places
    assert (place.phase, place.task, place.teams, place.all) == ("training", "coreference", 2, 4)
    assert {state: count for state, count in place.counts.items() if count} == {
        "queued": 1,
        "scoring": 1,
        "scored": 1,
        "failed": 1,
    }
    assert (seen.queued, seen.waiting_since) == (1, waiting.received)
    assert [(lease.submission, lease.worker, lease.lost) for lease in seen.leases] == [(held.id, "w2", False)]
    assert later.leases[0].lost
    assert [(one.submission, one.team, one.message) for one in seen.faults] == [(failed.id, "Two", "out of luck")]
    assert seen.teams == {"applied": 1, "approved": 2, "refused": 0}
