"""Canaries: words that exist once, planted where only some may see them, and who may.

Every team has some in all that it tells the platform; so have the texts of each phase, the reason
of a disqualification, the organiser, passwords and the secret of the server. Scores of the blind
phase are canaries, too, until they are published.
"""

import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from corefbench.campaign.domain.config import Anonymity, ScoreRelease
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.credentials import create_token, list_tokens
from corefbench.campaign.storage.downloads import list_downloads
from corefbench.campaign.storage.evaluations import get_evaluations
from corefbench.campaign.storage.settings import publish
from corefbench.campaign.storage.submissions import Submission, disqualify_submission, get_submission
from corefbench.campaign.storage.users import (
    User,
    create_organiser,
    get_password_hash,
    get_team,
    register_team,
    set_team_state,
)
from corefbench.records import Record
from corefbench.report.table import percent
from tests.campaign import DOCUMENTS, MovableClock, password_hash
from tests.campaign_play import score_all, send
from tests.conll import conll

State = Literal["before", "training", "test", "closed", "published"]
STATES: tuple[State, ...] = ("before", "training", "test", "closed", "published")
_TIMES = {
    "before": datetime(2026, 2, 20, tzinfo=UTC),
    "training": datetime(2026, 3, 2, tzinfo=UTC),
    "test": datetime(2026, 3, 16, tzinfo=UTC),
    "closed": datetime(2026, 3, 23, tzinfo=UTC),
    "published": datetime(2026, 3, 24, tzinfo=UTC),
}
_KEY = ("(0)", "(1)", "(0)", "(1)", "", "(2)", "(0)", "(2)", "(1)")
_EMPTY = tuple("-" if cell else "" for cell in _KEY)


class Canary(Record, frozen=True):
    """A word, what it is, and whose: a team's number, or a phase."""

    word: str
    kind: str
    owner: str = ""


class Aviary:
    """A campaign with canaries, which goes from state to state."""

    def __init__(self, platform: Platform, clock: MovableClock, anonymity: Anonymity, release: ScoreRelease) -> None:
        self.clock, self.release, self._random = clock, release, random.Random(20260301)
        training, test = platform.campaign.phases
        phases = (training, replace(test, scores=release))
        campaign = replace(platform.campaign, anonymity=anonymity, phases=phases)
        self.platform = replace(platform, campaign=campaign)
        self.canaries: list[Canary] = []
        self.people: list[User] = []
        self.tokens: list[str] = []
        """Of the people, in clear text."""
        self.submissions: list[Submission] = []
        self.state: State = "before"
        self.texts = {name: self._write(platform.folder, name) for name in ("training", "test")}
        clock.set(_TIMES["before"])
        self._register()

    def word(self, kind: str, owner: str = "") -> str:
        """A new canary."""
        made = "q" + "".join(self._random.choices("bcdfghjkmpqrstvwxz", k=11))
        self.canaries.append(Canary(word=made, kind=kind, owner=owner))
        return made

    def _write(self, folder: Path, phase: str) -> list[list[str]]:
        """Key and input of a phase: every document has a canary among its words."""
        texts = [[self.word("text", phase), *(f"w{n}" for n in range(1, 8))] for _ in range(DOCUMENTS)]
        for name, cells in ((f"{phase}.key.conll", _KEY), (f"{phase}.conll", _EMPTY)):
            (folder / "data" / name).write_bytes(self._documents(phase, texts, [cells] * DOCUMENTS))
        return texts

    def _documents(self, phase: str, texts: list[list[str]], cells: list[tuple[str, ...]]) -> bytes:
        return b"".join(
            conll(*some, name=f"{phase}/{n}", words=words)
            for n, (words, some) in enumerate(zip(texts, cells, strict=True))
        )

    def _register(self) -> None:
        now = self.clock()
        with self.platform.database.write() as connection:
            self.organiser = create_organiser(
                connection,
                email=f"{self.word('organiser')}@example.org",
                name=self.word("organiser"),
                password_hash=password_hash(),
                now=now,
            )
            for n in range(5):
                owner = str(n)
                person = register_team(
                    connection,
                    email=f"{self.word('private', owner)}@example.org",
                    name=self.word("private", owner),
                    password_hash=password_hash(),
                    team_name=f"The {self.word('name', owner)}s",
                    affiliation=self.word("private", owner),
                    now=now,
                    approved=False,
                )
                self.people.append(person)
                if n < 4:
                    set_team_state(connection, person.team, "approved", person=None, now=now)
                token = create_token(connection, person.id, self.word("own", owner), now)
                self.tokens.append(token)
                self._hidden("never", token)
                self._hidden("own", get_team(connection, person.team).code, owner)
            self._hidden("never", get_password_hash(connection, self.people[0].id))
        self._hidden("never", self.platform.secret.hex())

    def _hidden(self, kind: str, word: str | None, owner: str = "") -> None:
        assert word
        self.canaries.append(Canary(word=word.lower(), kind=kind, owner=owner))

    def proceed(self, state: State) -> None:
        """Go on to this state, and do what is done in all states before it."""
        while self.state != state:
            self.state = STATES[STATES.index(self.state) + 1]
            self.clock.set(_TIMES[self.state])
            if self.state in ("training", "test"):
                self._submit(self.state)
            if self.state == "published":
                self._publish()

    def _submit(self, phase: str) -> None:
        for n, person in enumerate(self.people[:4]):
            self.clock.forward(minutes=1)
            for content, task in ((self._answers(phase, n), "coreference"), *self._broken(n)):
                self.submissions.append(
                    send(
                        self.platform,
                        person,
                        content,
                        phase=phase,
                        task=task,
                        label=self.word("private", str(n)),
                        file_name=f"{self.word('private', str(n))}.conll",
                    )
                )
        score_all(self.platform)
        if phase == "test":
            self._count_scores()
            with self.platform.database.write() as connection:
                disqualify_submission(
                    connection,
                    self.submissions[-1].id,
                    person=self.organiser.id,
                    reason=f"because of {self.word('private', '3')}",
                    now=self.clock(),
                )

    def _answers(self, phase: str, team: int) -> bytes:
        """Answers, of which no two teams have the same."""
        cells = [
            tuple(cell if not cell or self._random.random() < 0.5 + team * 0.12 else "-" for cell in _KEY)
            for _ in range(DOCUMENTS)
        ]
        return self._documents(phase, self.texts[phase], cells)

    def _broken(self, team: int) -> list[tuple[bytes, str]]:
        """What cannot be read: its error quotes it."""
        if self.state != "training":
            return []
        return [(conll(self.word("private", str(team)), name="training/0"), "coreference")]

    def _count_scores(self) -> None:
        """The scores of the blind phase, as pages and as programs are told them."""
        whole, public, common = set(), set(), set()
        with self.platform.database.read() as connection:
            for sent in self.submissions:
                one = get_submission(connection, sent.id)
                made = get_evaluations(connection, [one.evaluation])[one.evaluation] if one and one.evaluation else None
                if made is not None and sent.phase == "test":
                    whole |= _told(made.headline)
                    public |= _told(made.public)
                elif made is not None:
                    common |= _told(made.headline)
        for kind, words, elsewhere in (("score", whole, public), ("public", public, whole)):
            for word in sorted(words - elsewhere - common):
                self._hidden(kind, word)

    def _publish(self) -> None:
        with self.platform.database.write() as connection:
            for phase in self.platform.campaign.phases:
                publish(connection, phase, person=self.organiser.id, now=self.clock())

    def values(self) -> dict[str, list[str]]:
        """What the parts of addresses may be."""
        with self.platform.database.read() as connection:
            return {
                "phase": [phase.name for phase in self.platform.campaign.phases],
                "task": [task.name for task in self.platform.campaign.tasks],
                "submission": [one.id for one in self.submissions],
                "download": [one.id for one in list_downloads(connection, None)],
                "token": [one.id for p in self.people for one in list_tokens(connection, p.id)],
                "team": [person.team or "" for person in self.people],
                "kind": ["tex", "csv", "md", "json"],
                "file": ["boards.css"],
            }

    def may_see(self, canary: Canary, viewer: str, route: str) -> bool:
        """Whether ``viewer`` (a team's number, ``visitor``, ``organiser``) may see it there."""
        own, organiser = canary.owner == viewer, viewer == "organiser"
        published = self.state == "published"
        if canary.kind == "private":
            return own or organiser
        if canary.kind == "own":
            return own
        if canary.kind == "organiser":
            return organiser
        if canary.kind == "name":
            named = published and self.platform.campaign.anonymity != "always"
            return own or organiser or named
        if canary.kind == "score":
            return organiser or published
        if canary.kind == "public":
            return organiser or published or (self.release == "at-once" and viewer in "01")
        if canary.kind == "text":
            return self._may_read(canary.owner, viewer, route)
        return False

    def _may_read(self, phase: str, viewer: str, route: str) -> bool:
        """Texts: in what is downloaded, and beside the errors of a phase that is not blind."""
        if viewer == "visitor" or viewer == "4":
            return False
        if route in ("data", "api-data"):
            return True
        return phase == "training" and route in ("submission", "api-submission")


def _told(score: float) -> set[str]:
    """A score as a page has it, and the first digits of what a program gets."""
    return {percent(score), f"{score:.9f}"[:9]} if 0.001 < score < 0.999 else set()
