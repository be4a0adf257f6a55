"""What the teams of a dry run do: register, download, submit, look, as the pages would let them."""

from corefbench.campaign.baselines import Answers
from corefbench.campaign.domain.admission import Refusal
from corefbench.campaign.domain.definition import Data, Phase
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.deeds import withdraw
from corefbench.campaign.storage.people import Person, register
from corefbench.campaign.storage.submissions import Arrival, Submission, accept, submission
from corefbench.campaign.storage.windows import Download, record_download
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.submitted import Shown, shown


def enter(platform: Platform, name: str, number: int) -> Person:
    """A new team, approved."""
    with platform.database.write() as connection:
        return register(
            connection,
            email=f"team-{number}@dry-run.invalid",
            name=name,
            password_hash="",
            team_name=name,
            affiliation="corefbench",
            now=platform.clock(),
            approved=True,
        )


def download(platform: Platform, person: Person, phase: Phase, data: Data) -> Download | Refusal:
    """Take the input of a task."""
    stored = platform.files.put(platform.path(data.input).read_bytes())
    with platform.database.write() as connection:
        return record_download(
            connection,
            platform.campaign,
            team=person.team or "",
            person=person.id,
            phase=phase.name,
            task=data.task,
            sha256=stored.sha256,
            bytes=stored.bytes,
            now=platform.clock(),
        )


def send(
    platform: Platform, person: Person, phase: Phase, data: Data, answers: Answers
) -> Submission | Refusal:
    """Submit answers."""
    stored = platform.files.put(answers.content)
    arrival = Arrival(
        team=person.team or "",
        person=person.id,
        phase=phase.name,
        task=data.task,
        label=person.name,
        file_name=answers.file_name,
        sha256=stored.sha256,
        bytes=stored.bytes,
    )
    with platform.database.write() as connection:
        return accept(connection, platform.campaign, arrival, platform.clock())


def take_back(platform: Platform, person: Person, taken: Submission) -> None:
    """Withdraw a submission."""
    with platform.database.write() as connection:
        withdraw(connection, taken.id, person=person.id, now=platform.clock())


def seen(platform: Platform, person: Person, taken: Submission) -> Shown:
    """What the team sees of its submission now."""
    visitor = Visitor(role="participant", person=person.id, team=person.team or "")
    with platform.database.read() as connection:
        now = submission(connection, taken.id) or taken
        return shown(platform, connection, visitor, now, errors=True)


def words(seen: Shown) -> str:
    """That in words."""
    if seen.state != "scored":
        return f"{seen.state}: {seen.message}"
    if seen.result is None:
        return "that it is scored, no score yet"
    errors = " and its errors" if seen.errors is not None else ""
    share = "" if seen.result.share == "all" else " over the public share"
    return f"{seen.result.ranking} {seen.result.headline:.2%}{share}{errors}"
