"""Standings: the board of a task in a phase, as one who looks at it may see it.

Before publication a board is over the public share of the documents, after it over all. Which
names stand on it is decided in the query (``storage.boards``); nothing here knows the others.
"""

from collections.abc import Sequence

import msgspec

from corefbench.campaign.board import Board, Line, Share
from corefbench.campaign.domain.definition import Rule, Task
from corefbench.campaign.domain.ranking import Entry, Ranked, ranked
from corefbench.campaign.domain.scores import ranking_score
from corefbench.campaign.domain.times import written
from corefbench.campaign.domain.visibility import Role, names_shown, sees_board, sees_private
from corefbench.campaign.facts import Facts, facts_of, p_between
from corefbench.campaign.fingerprints import is_same_key, key_sha256
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.boards import BoardRow, board_rows
from corefbench.campaign.storage.files import FileStore
from corefbench.campaign.storage.settings import is_published
from corefbench.errors import UsageError
from corefbench.measures import measures

_TITLES = {"conll": "CoNLL F1", "success_rate": "Success rate"}


def standings(
    platform: Platform,
    phase: str,
    task: str,
    *,
    role: Role = "visitor",
    team: str = "",
    preview: bool = False,
) -> Board:
    """The board for this role; ``team`` is that of the one who looks.

    ``preview`` shows organisers what visitors will see once the phase is published.
    """
    campaign, stage = platform.campaign, platform.campaign.phase(phase)
    stage.data_of(task)
    with platform.database.read() as connection:
        published = is_published(connection, phase)
        if preview and role == "organiser":
            published, role, team = True, "visitor", ""
        if not sees_board(role, stage, platform.clock(), published=published):
            raise UsageError("this board is not shown yet", code="CB312")
        names = names_shown(role, campaign.anonymity, published=published)
        rows = board_rows(connection, phase, task, names=names, own=team or None)
    whole = stage.public >= 1 or sees_private(role, published=published)
    lines, facts = _lines(
        platform.files, campaign.task(task), rows, campaign.ranking, "all" if whole else "public"
    )
    if whole and stage.public < 1:
        lines = _with_public(lines, rows, campaign.ranking)
    return Board(
        campaign=campaign.title,
        phase=phase,
        phase_title=stage.title,
        task=task,
        task_title=campaign.task(task).title,
        measure=measure_title(campaign.task(task)),
        published=published,
        names=names,
        share="all" if whole else "public",
        rule=campaign.ranking,
        lines=tuple(line if role == "organiser" or line.own else _bare(line) for line in lines),
        methods=tuple(sorted({one.method for one in facts})),
        outdated=_outdated(rows, lines, facts, key_sha256(platform, phase, task)),
        titles={name: score_title(name) for line in lines for name in line.scores},
    )


def measure_title(task: Task) -> str:
    """What ranks, in words.

    >>> measure_title(Task(name="a", title="A", scored="are-1"))
    'Success rate'
    """
    name = ranking_score(task)
    return _TITLES.get(name) or f"{score_title(name)} F1"


def score_title(name: str) -> str:
    """A score in words.

    >>> score_title("b_cubed"), score_title("overlap")
    ('B³', 'Overlap')
    """
    return measures[name].card.title if name in measures else name.replace("_", " ").capitalize()


def ranking(rows: Sequence[BoardRow], rule: Rule, share: Share) -> list[Ranked]:
    """One submission a team, best first."""
    return ranked(
        (
            Entry(
                submission=row.submission,
                team=row.team,
                score=row.headline if share == "all" else row.public,
                arrived=row.received,
            )
            for row in rows
        ),
        rule,
    )


def _lines(
    files: FileStore, task: Task, rows: Sequence[BoardRow], rule: Rule, share: Share
) -> tuple[list[Line], list[Facts]]:
    by_submission = {row.submission: row for row in rows}
    order = [(one, by_submission[one.entry.submission]) for one in ranking(rows, rule, share)]
    asked = msgspec.json.encode(task)
    facts = [facts_of(files, asked, row.evaluation, share) for _, row in order]
    below = [*(row.evaluation for _, row in order), ""][1:]
    lines = [
        _line(one, row, found, p_between(files, asked, row.evaluation, after, share))
        for (one, row), found, after in zip(order, facts, below, strict=True)
    ]
    return lines, facts


def _outdated(rows: Sequence[BoardRow], lines: list[Line], facts: list[Facts], key: str) -> int:
    held_against = {row.submission: row.key_sha256 for row in rows}
    return sum(
        not (found.current and is_same_key(held_against[line.submission], key))
        for line, found in zip(lines, facts, strict=True)
    )


def _line(one: Ranked, row: BoardRow, found: Facts, p: float | None) -> Line:
    return Line(
        rank=one.rank,
        team=row.shown,
        score=one.entry.score,
        low=found.interval.low if found.interval else None,
        high=found.interval.high if found.interval else None,
        p=p,
        covered=found.covered,
        documents=found.documents,
        received=written(row.received),
        own=row.own,
        being_rescored=row.being_rescored,
        submission=row.submission,
        scores=found.scores,
    )


def _with_public(lines: list[Line], rows: Sequence[BoardRow], rule: Rule) -> list[Line]:
    """The lines with what the public board said of their teams."""
    before = {one.entry.team: one for one in ranking(rows, rule, "public")}
    return [
        msgspec.structs.replace(
            line, public=before[line.team].entry.score, public_rank=before[line.team].rank
        )
        for line in lines
    ]


def _bare(line: Line) -> Line:
    """The line of another team, for those who do not organise."""
    return msgspec.structs.replace(line, submission="")
