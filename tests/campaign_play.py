"""A campaign as tests play it: answers are sent and scored at once, in this process."""

from datetime import timedelta

import msgspec

from corefbench.campaign.domain.evaluation import Failed, Invalid, Scored
from corefbench.campaign.jobs.scoring import perform
from corefbench.campaign.jobs.worker import make_job
from corefbench.campaign.platform import Platform, hash_key
from corefbench.campaign.storage.downloads import record_download
from corefbench.campaign.storage.queue import claim_next, record_outcome
from corefbench.campaign.storage.submissions import NewSubmission, Submission, accept_submission
from corefbench.campaign.storage.users import User

_LEASE = timedelta(minutes=1)


def send(
    platform: Platform,
    person: User,
    content: bytes,
    *,
    phase: str = "test",
    task: str = "coreference",
    file_name: str = "answers.conll",
    label: str = "",
) -> Submission:
    """Download, if a window has to be opened, and submit."""
    stored, now = platform.files.put(content), platform.clock()
    place = {"team": person.team, "person": person.id, "phase": phase, "task": task}
    file = {"sha256": stored.sha256, "bytes": stored.bytes}
    with platform.database.write() as connection:
        if platform.campaign.phase(phase).window:
            record_download(connection, platform.campaign, **place, **file, now=now)
        arrival = NewSubmission(**place, **file, file_name=file_name, label=label)
        taken = accept_submission(connection, platform.campaign, arrival, now)
    assert isinstance(taken, Submission), taken
    return taken


def score_next(platform: Platform) -> Submission | None:
    """Score the next of the queue."""
    with platform.database.write() as connection:
        claimed = claim_next(connection, "tester", platform.clock(), _LEASE)
    if claimed is None:
        return None
    key = hash_key(platform, claimed.phase, claimed.task)
    outcome = perform(make_job(platform, claimed))
    assert isinstance(outcome, Scored | Invalid | Failed)
    kept = None
    if isinstance(outcome, Scored):
        kept = platform.files.put(msgspec.json.encode(outcome.evaluation))
    with platform.database.write() as connection:
        now = platform.clock()
        return record_outcome(connection, claimed.id, "tester", outcome, now, kept=kept, key=key)


def score_all(platform: Platform) -> int:
    """Score all that waits; how many they were."""
    done = 0
    while score_next(platform) is not None:
        done += 1
    return done
