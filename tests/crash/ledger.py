"""What a program said before it was killed, held against what is there afterwards."""

import hashlib

from sqlalchemy import Connection, func, select

from corefbench.campaign.domain.submissions import is_genuine, sign_receipt
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.submissions import Submission, list_submissions
from corefbench.campaign.storage.tables import evaluations, files, settings
from tests.crash.actor import send


class Ledger:
    """All that was acknowledged."""

    def __init__(self) -> None:
        self.uploaded: set[str] = set()
        self.trying: dict[str, tuple[str, str]] = {}
        self.taken: dict[str, str] = {}
        self.scored: dict[str, str] = {}
        self.published: set[str] = set()
        self._checked: set[str] = set()

    @property
    def acknowledged(self) -> int:
        return len(self.uploaded) + len(self.taken) + len(self.scored) + len(self.published)

    def hear(self, words: list[str]) -> None:
        """Note a line; one that was cut off by the death of its writer was not heard."""
        match words:
            case ["uploaded", sha256]:
                self.uploaded.add(sha256)
            case ["trying", request, team, person]:
                self.trying[request] = (team, person)
            case ["taken", request, id]:
                self.taken[request] = id
            case ["scored", id, evaluation]:
                self.scored[id] = evaluation
            case ["published", phase]:
                self.published.add(phase)

    def check(self, platform: Platform) -> None:
        """Nothing acknowledged is lost, nothing is there twice."""
        self._check_files(platform)
        with platform.database.read() as connection:
            found = list_submissions(connection, None)
            requests = [one.request for one in found]
            assert len(requests) == len(set(requests)), "a submission is there twice"
            by_request = {one.request: one for one in found}
            for request, number in self.taken.items():
                assert by_request[request].id == number, "an acknowledged submission is lost"
            for one in found:
                assert one.request in self.trying, "a submission that nobody sent"
                assert is_genuine(sign_receipt(one.receipt, platform.secret), platform.secret)
            self._check_scores(connection, {one.id: one for one in found})
            kept = set(connection.scalars(select(settings.c.name)))
            assert {f"published:{phase}" for phase in self.published} <= kept
            for sha256 in connection.scalars(select(files.c.sha256)):
                assert platform.files.path(sha256).is_file(), "a row names a file that is not there"

    def send_again(self, platform: Platform) -> int:
        """Do what clients do that got no answer; each is then there once. How many there were."""
        unanswered = [request for request in self.trying if request not in self.taken]
        with platform.database.read() as connection:
            there = {one.request: one.id for one in list_submissions(connection, None)}
        for request in unanswered:
            taken = send(platform, request, *self.trying[request])
            assert there.get(request, taken.id) == taken.id, "taken twice"
            self.taken[request] = taken.id
        return len(unanswered)

    def _check_files(self, platform: Platform) -> None:
        for sha256 in self.uploaded - self._checked:
            data = platform.files.read(sha256)
            assert hashlib.sha256(data).hexdigest() == sha256, "a file is broken"
        self._checked |= self.uploaded

    def _check_scores(self, connection: Connection, found: dict[str, Submission]) -> None:
        for number, evaluation in self.scored.items():
            assert (found[number].state, found[number].evaluation) == ("scored", evaluation)
        doubled = select(evaluations.c.submission).group_by(evaluations.c.submission).having(func.count() > 1)
        assert connection.execute(doubled).all() == [], "a submission was scored twice"
        counted = connection.scalars(select(func.count()).select_from(evaluations)).one()
        assert counted == sum(one.state == "scored" for one in found.values())
