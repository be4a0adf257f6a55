"""A program that is killed: ``python -m tests.crash.actor FOLDER STATE URL``.

It waits for lines on its input, ``DEED SEED LINES``, and forks for each: the child does the deed
over and over and says so on the output. After so many lines of the campaign's code it kills itself
with SIGKILL, in the middle of whatever it is doing; with 0 it goes on until it is killed by others.
What it says comes in one write a line and only after the deed is done:

    pid NUMBER                   the child is there
    trying REQUEST TEAM PERSON   a submission is about to be sent
    uploaded SHA256              a file was kept
    taken REQUEST ID             a submission was accepted
    scored ID EVALUATION         a submission was scored
    published PHASE              a phase was published
    end                          the child is gone
"""

import os
import random
import signal
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec

from corefbench.campaign.domain.evaluation import Scored
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage import database, files
from corefbench.campaign.storage.queue import claim_next, record_outcome, requeue_expired
from corefbench.campaign.storage.settings import publish
from corefbench.campaign.storage.submissions import NewSubmission, Submission, accept_submission
from corefbench.campaign.storage.users import list_users
from tests.campaign import START, MovableClock, evaluation, platform_of

CODE = str(Path(files.__file__).parent)
LEASE = timedelta(minutes=1)
PIECES = 4
Say = Callable[..., None]
Deed = Callable[[Platform, random.Random, Say], None]


def upload(platform: Platform, lot: random.Random, say: Say) -> None:
    with platform.files.incoming(1 << 20) as incoming:
        for _ in range(PIECES):
            incoming.write(lot.randbytes(20_000))
        stored = incoming.commit()
    say("uploaded", stored.sha256)


def enqueue(platform: Platform, lot: random.Random, say: Say) -> None:
    with platform.database.read() as connection:
        person = lot.choice(list_users(connection))
    request = lot.randbytes(16).hex()
    say("trying", request, person.team, person.id)
    taken = send(platform, request, person.team or "", person.id)
    say("taken", request, taken.id)


def send(platform: Platform, request: str, team: str, person: str) -> Submission:
    """Send the answers of a request: the same whenever it is sent."""
    stored = platform.files.put(random.Random(request).randbytes(3000))
    arrival = NewSubmission(
        team=team,
        person=person,
        phase="training",
        task="coreference",
        file_name="answers",
        sha256=stored.sha256,
        bytes=stored.bytes,
        request=request,
    )
    with platform.database.write() as connection:
        taken = accept_submission(connection, platform.campaign, arrival, platform.clock())
    assert isinstance(taken, Submission)
    return taken


def score(platform: Platform, lot: random.Random, say: Say) -> None:
    worker = f"worker-{os.getpid()}"
    with platform.database.write() as connection:
        requeue_expired(connection, platform.clock() + 2 * LEASE, attempts=1_000_000)
        claimed = claim_next(connection, worker, platform.clock(), LEASE)
    if claimed is None:
        enqueue(platform, lot, say)
        return
    outcome = Scored(evaluation=evaluation(lot.random()))
    kept = platform.files.put(msgspec.json.encode(outcome.evaluation))
    with platform.database.write() as connection:
        done = record_outcome(connection, claimed.id, worker, outcome, platform.clock(), kept=kept)
    if done is not None:
        say("scored", done.id, done.evaluation)


def publish_one(platform: Platform, lot: random.Random, say: Say) -> None:
    phase = msgspec.structs.replace(platform.campaign.phase("training"), name=lot.randbytes(8).hex(), closes=START)
    with platform.database.write() as connection:
        publish(connection, phase, person=None, now=START)
    say("published", phase.name)


DEEDS: dict[str, Deed] = {"upload": upload, "enqueue": enqueue, "score": score, "publish": publish_one}


def die_after(lines: int) -> None:
    """Kill this process after so many lines of the code that writes."""
    left = lines

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if frame.f_code.co_filename.startswith(CODE):
            if event == "line":
                left -= 1
                if left <= 0:
                    os.kill(os.getpid(), signal.SIGKILL)
            return trace
        return None

    sys.settrace(trace)


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def act(platform_folder: Path, state: Path, url: str, deed: str, seed: int, lines: int) -> None:
    """What the child does until it is killed."""
    say("pid", os.getpid())
    platform = platform_of(platform_folder, state, url, MovableClock())
    lot = random.Random(seed)
    DEEDS[deed](platform, lot, say)  # connections are open: what follows is writing
    if lines:
        die_after(lines)
    while True:
        DEEDS[deed](platform, lot, say)


def main() -> None:
    folder, state, url = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    assert database.__file__
    for line in sys.stdin:
        deed, seed, lines = line.split()
        child = os.fork()
        if not child:
            act(folder, state, url, deed, int(seed), int(lines))
        os.waitpid(child, 0)
        say("end")


if __name__ == "__main__":
    main()
