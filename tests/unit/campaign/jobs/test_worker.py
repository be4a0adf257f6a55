"""Workers: the queue is emptied, what was lost comes back, what goes wrong is told."""

import io
import json
import os
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread

import msgspec
import pytest

from corefbench.campaign.domain.evaluation import Evaluation, Failed
from corefbench.campaign.jobs import worker
from corefbench.campaign.jobs.worker import maintain_once, remove_orphaned_files, run_worker, score_next
from corefbench.campaign.logs import log_to
from corefbench.campaign.platform import Platform, utc_now
from corefbench.campaign.storage.queue import claim_next
from corefbench.campaign.storage.submissions import (
    NewSubmission,
    Submission,
    accept_submission,
    get_submission,
    list_submissions,
)
from tests.campaign import MovableClock, answers, enter


def submit(platform: Platform, content: bytes, team: str = "A-Team") -> Submission:
    person = enter(platform, team)
    stored = platform.files.put(content)
    arrival = NewSubmission(
        team=person.team,
        person=person.id,
        phase="training",
        task="coreference",
        label="",
        file_name="run.conll",
        sha256=stored.sha256,
        bytes=stored.bytes,
        request=None,
    )
    with platform.database.write() as connection:
        made = accept_submission(connection, platform.campaign, arrival, platform.clock())
    assert isinstance(made, Submission)
    return made


def now(platform: Platform, made: Submission) -> Submission:
    with platform.database.read() as connection:
        found = get_submission(connection, made.id)
    assert found is not None
    return found


def once(platform: Platform) -> Submission | None:
    return score_next(platform, stop=Event(), name="w")


def test_a_submission_is_scored_and_its_evaluation_kept(platform):
    made = submit(platform, answers("good", "training"))
    done = once(platform)
    assert done is not None
    assert done.state == "scored"
    kept = [
        msgspec.json.decode(platform.files.read(sha256), type=Evaluation)
        for sha256 in platform.files.all()
        if sha256 != made.sha256
    ]
    assert [evaluation.covered for evaluation in kept] == [6]
    assert once(platform) is None


def test_answers_that_cannot_be_read_are_invalid_and_it_is_said_why(platform):
    made = submit(platform, b"#begin document (a);\nAnn (1\n#end document\n")
    once(platform)
    found = now(platform, made)
    assert found.state == "invalid"
    assert "CB105" in found.message


def test_the_platforms_failures_are_tried_three_times_and_given_back(platform):
    made = submit(platform, answers("good", "training"))
    Path(platform.files.path(made.sha256)).unlink()
    for _ in range(3):
        assert now(platform, made).state == "queued"
        assert once(platform) is None
    assert now(platform, made).state == "failed"


def test_what_a_dead_worker_had_comes_back(platform, clock: MovableClock):
    made = submit(platform, answers("good", "training"))
    with platform.database.write() as connection:
        assert claim_next(connection, "dead", platform.clock(), timedelta(seconds=60)) is not None
    assert once(platform) is None
    clock.forward(seconds=61)
    once(platform)
    assert (now(platform, made).state, now(platform, made).attempts) == ("scored", 2)


def test_several_workers_score_everything_once(platform):
    for number in range(12):
        submit(platform, answers("good" if number % 2 else "poor", "training"), f"Team {number}")
    stop = Event()
    threads = [
        Thread(target=run_worker, args=(platform,), kwargs={"stop": stop, "name": name, "poll": 0.05})
        for name in ("a", "b", "c")
    ]
    for thread in threads:
        thread.start()
    for _ in range(600):
        with platform.database.read() as connection:
            states = [one.state for one in list_submissions(connection, None)]
        if states == ["scored"] * 12:
            break
        stop.wait(0.05)
    stop.set()
    for thread in threads:
        thread.join()
    assert states == ["scored"] * 12
    with platform.database.read() as connection:
        assert {one.attempts for one in list_submissions(connection, None)} == {1}


def test_a_lease_is_kept_up_while_a_child_works(platform, monkeypatch):
    made = submit(platform, answers("good", "training"))
    beats = []
    real = worker.extend_lease

    def beat(*given):
        beats.append(real(*given))
        return beats[-1]

    def slow(job):
        Event().wait(0.5)
        return Failed(reason="slow")

    monkeypatch.setattr(worker, "extend_lease", beat)
    monkeypatch.setattr(worker, "run_job", slow)
    score_next(platform, stop=Event(), name="w", lease=timedelta(seconds=0.4))
    assert len(beats) >= 2
    assert all(beats)
    assert now(platform, made).attempts == 1


def test_a_worker_that_is_told_to_stop_gives_its_submission_back(platform, monkeypatch):
    made = submit(platform, answers("good", "training"))
    stop, released = Event(), Event()

    def endless(job):
        stop.set()
        released.wait(10)
        return Failed(reason="too late")

    monkeypatch.setattr(worker, "run_job", endless)
    monkeypatch.setattr(worker, "_GRACE", 0.1)
    assert score_next(platform, stop=stop, name="w") is None
    assert (now(platform, made).state, now(platform, made).attempts) == ("queued", 0)
    released.set()


def test_a_database_that_is_away_does_not_end_a_worker(platform, monkeypatch):
    stop, tries = Event(), []

    def away(*_, **__):
        tries.append(1)
        if len(tries) == 3:
            stop.set()
        raise OSError("the database is away")

    monkeypatch.setattr(worker, "score_next", away)
    stream = io.StringIO()
    with log_to(stream):
        run_worker(platform, stop=stop, name="w", poll=0)
    events = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert len(tries) == 3
    assert sum("the database is away" in event.get("exception", "") for event in events) == 3


@pytest.mark.parametrize("quality", ["good"])
def test_the_log_says_what_was_scored_and_by_whom(platform, quality):
    made = submit(platform, answers(quality, "training"))
    stream = io.StringIO()
    with log_to(stream):
        once(platform)
    events = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [event["event"] for event in events] == ["scoring started", "scoring finished"]
    assert {event["submission"] for event in events} == {made.id}
    assert events[1]["state"] == "scored"


DAY = timedelta(days=1)


def age(path: Path, days: float) -> None:
    then = (utc_now() - days * DAY).timestamp()
    os.utime(path, (then, then))


def test_only_old_files_that_nothing_names_are_removed(platform: Platform) -> None:
    files = platform.files
    named = submit(platform, b"named").sha256
    old, young = files.put(b"old").sha256, files.put(b"young").sha256
    arriving, broken = files.incoming(10), files.incoming(10)
    for one in (arriving, broken):
        one.flush()
    for path in (files.path(named), files.path(old), broken.path):
        age(path, 2)
    assert remove_orphaned_files(platform.database, files, utc_now()) == 2
    assert set(files.all()) == {named, young}
    assert list(files.list_incoming()) == [arriving.path]
    for one in (arriving, broken):
        one.__exit__(None, None, None)


def test_what_is_kept_again_is_young_again(platform: Platform) -> None:
    stored = platform.files.put(b"old")
    age(platform.files.path(stored.sha256), 2)
    platform.files.put(b"old")
    maintain_once(platform)
    assert list(platform.files.all()) == [stored.sha256]
