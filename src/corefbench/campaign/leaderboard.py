"""Leaderboards with confidence intervals and significance tests, and their export.

Before publication a board is over the public share of the documents, after it over all. Which
names are on it is decided in the query (``storage.evaluations``); the others never get here.

Intervals are percentiles of a bootstrap over documents. The test is paired approximate
randomisation, over all ways to swap documents if these are few. Seed and number of resamples are
fixed, so that the same submissions always give the same board. Systems that were not scored on the
same documents are not compared.

In exports, team names are untrusted text: control characters and line breaks are removed, a cell that
a spreadsheet would read as a formula is quoted, and LaTeX special characters are escaped.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from corefbench.analysis.significance import bootstrap_figures, percentile_interval, randomisation_p
from corefbench.campaign.domain.config import RankingRule, Task
from corefbench.campaign.domain.evaluation import Evaluation
from corefbench.campaign.domain.ranking import (
    Entry,
    HeadlineScore,
    RankedEntry,
    compute_headline,
    get_ranking_score,
    is_current,
    rank_entries,
)
from corefbench.campaign.domain.times import format_time
from corefbench.campaign.domain.visibility import Role, are_names_shown, can_see_board, can_see_private
from corefbench.campaign.platform import Platform, hash_key, is_same_key
from corefbench.campaign.storage.evaluations import BoardRow, list_board_rows
from corefbench.campaign.storage.files import FileStore
from corefbench.campaign.storage.settings import is_published
from corefbench.errors import UnknownName, UsageError
from corefbench.records import Record
from corefbench.report.renderers import ReportFormat, render_table
from corefbench.report.table import Table, percent
from corefbench.scoring.measures import Score, measures

CONFIDENCE = 0.95
ALPHA = 0.05
SAMPLES = 2_000
SEED = 0
Share: TypeAlias = Literal["public", "all"]
"""Whether a board is over the public share of the documents, or over all of them."""
_OWN_TITLES = {"conll": "CoNLL F1", "success_rate": "Success rate"}
"""Titles of scores that are no F1 of a measure."""
ExportFormat: TypeAlias = Literal["tex", "csv", "md", "json"]
EXPORT_FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
MEDIA_TYPES: dict[ExportFormat, str] = {
    "tex": "application/x-tex",
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "json": "application/json",
}
_TABLE_FORMATS: dict[ExportFormat, ReportFormat] = {"tex": "latex", "csv": "csv", "md": "markdown"}
_NONE = "–"
_FULL_WIDTH_FORMULA_CHARACTERS = "＝＋－＠"
"""Full-width characters that some spreadsheets read as =, +, - and @."""


class BoardLine(Record, frozen=True):
    """A line of a leaderboard: one system."""

    rank: int
    team: str
    """Name or pseudonym."""
    score: float
    low: float | None
    high: float | None
    """Confidence interval of the score; None if there are too few documents."""
    p: float | None
    """p-value of the difference to the next line; None for the last line."""
    covered: int
    """Documents in which the answers have mentions …"""
    documents: int
    """… of those that were scored."""
    received: str
    """To the microsecond for organisers and the team itself, to the minute for others."""
    own: bool = False
    being_rescored: bool = False
    """Whether new scores are being computed."""
    submission: str = ""
    """Shown to organisers and to the team itself."""
    public: float | None = None
    """Score over the public share, if the board is over all documents …"""
    public_rank: int | None = None
    """… and the rank on the public board."""
    scores: dict[str, Score] = {}  # noqa: RUF012
    """All scores, if the board is over all documents."""

    @property
    def significant(self) -> bool:
        """Return whether the difference to the next line is significant."""
        return self.p is not None and self.p <= ALPHA


class Board(Record, frozen=True):
    """The ranking of a task in a phase."""

    campaign: str
    phase: str
    phase_title: str
    task: str
    task_title: str
    measure: str
    """Title of the score that ranks."""
    published: bool
    names: bool
    """Whether all teams are shown by name."""
    share: Share
    rule: RankingRule
    """Which submission of a team counts: its best or its last."""
    lines: tuple[BoardLine, ...] = ()
    methods: tuple[str, ...] = ()
    """How the systems were scored: one line if all were scored alike."""
    outdated: int = 0
    """Lines scored by an earlier profile or version, or against another key."""
    titles: dict[str, str] = {}  # noqa: RUF012
    """Titles of the scores of the lines."""

    @property
    def split(self) -> bool:
        """Return whether lines also have the score and rank of the public board."""
        return any(line.public is not None for line in self.lines)

    @property
    def spread(self) -> tuple[float, float]:
        """Return the range of the chart: all scores and intervals, and a margin."""
        low = min((line.score if line.low is None else line.low for line in self.lines), default=0.0)
        high = max((line.score if line.high is None else line.high for line in self.lines), default=1.0)
        margin = max((high - low) * 0.05, 0.005)
        return max(low - margin, 0.0), min(high + margin, 1.0)


class EvaluationFacts(Record, frozen=True):
    """What a board shows of an evaluation, over a share of the documents."""

    interval: tuple[float, float] | None
    """Lower and upper end of the confidence interval; None if there are too few documents."""
    covered: int
    documents: int
    scores: dict[str, Score]
    method: str
    current: bool


def build_board(
    platform: Platform, phase: str, task: str, *, role: Role = "visitor", team: str = "", preview: bool = False
) -> Board:
    """Return the board that a role may see; ``team`` is that of the viewer.

    ``preview`` shows organisers what visitors will see once the phase is published.
    """
    campaign, config = platform.campaign, platform.campaign.phase(phase)
    config.data_of(task)  # raises if there is no such task
    with platform.database.read() as connection:
        published = is_published(connection, phase)
        if preview and role == "organiser":
            published, role, team = True, "visitor", ""
        if not can_see_board(role, config, platform.clock(), published=published):
            raise UsageError("this board is not shown yet", code="CB312")
        names = are_names_shown(role, campaign.anonymity, published=published)
        rows = list_board_rows(connection, phase, task, names=names, own=team or None)
    share: Share = "public"
    if config.public >= 1 or can_see_private(role, published=published):
        share = "all"
    lines, facts = _make_lines(platform.files, campaign.task(task), rows, campaign.ranking, share)
    if share == "all" and config.public < 1:
        lines = _add_public_ranks(lines, rows, campaign.ranking)
    return Board(
        campaign=campaign.title,
        phase=phase,
        phase_title=config.title,
        task=task,
        task_title=campaign.task(task).title,
        measure=get_measure_title(campaign.task(task)),
        published=published,
        names=names,
        share=share,
        rule=campaign.ranking,
        lines=tuple(line if role == "organiser" or line.own else _hide_details(line) for line in lines),
        methods=tuple(sorted({fact.method for fact in facts})),
        outdated=_count_outdated(rows, lines, facts, hash_key(platform, phase, task)),
        titles={name: get_score_title(name) for line in lines for name in line.scores},
    )


def get_measure_title(task: Task) -> str:
    """Return the title of the score that ranks.

    >>> get_measure_title(Task(name="a", title="A", scored="are-1"))
    'Success rate'
    """
    name = get_ranking_score(task)
    return get_score_title(name) if name in _OWN_TITLES else f"{get_score_title(name)} F1"


def get_score_title(name: str) -> str:
    """Return the title of a score.

    >>> get_score_title("b_cubed"), get_score_title("overlap"), get_score_title("conll")
    ('B³', 'Overlap', 'CoNLL F1')
    """
    if name in _OWN_TITLES:
        return _OWN_TITLES[name]
    return measures[name].card.title if name in measures else name.replace("_", " ").capitalize()


def rank_rows(rows: Sequence[BoardRow], rule: RankingRule, share: Share) -> list[RankedEntry]:
    """Rank one submission per team, best first."""
    return rank_entries(
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


def _make_lines(
    files: FileStore, task: Task, rows: Sequence[BoardRow], rule: RankingRule, share: Share
) -> tuple[list[BoardLine], list[EvaluationFacts]]:
    by_submission = {row.submission: row for row in rows}
    ranked = rank_rows(rows, rule, share)
    ordered_rows = [by_submission[entry.entry.submission] for entry in ranked]
    config = msgspec.json.encode(task)
    facts = [collect_facts(files, config, row.evaluation, share) for row in ordered_rows]
    # Each system is compared with the next one; the last has none.
    next_evaluations = [*(row.evaluation for row in ordered_rows), ""][1:]
    lines = [
        _make_line(entry, row, fact, compute_p_value(files, config, row.evaluation, next_evaluation, share))
        for entry, row, fact, next_evaluation in zip(ranked, ordered_rows, facts, next_evaluations, strict=True)
    ]
    return lines, facts


def _make_line(ranked: RankedEntry, row: BoardRow, facts: EvaluationFacts, p: float | None) -> BoardLine:
    low, high = facts.interval or (None, None)
    return BoardLine(
        rank=ranked.rank,
        team=row.team,
        score=ranked.entry.score,
        low=low,
        high=high,
        p=p,
        covered=facts.covered,
        documents=facts.documents,
        received=format_time(row.received),
        own=row.own,
        being_rescored=row.being_rescored,
        submission=row.submission,
        scores=facts.scores,
    )


def _hide_details(line: BoardLine) -> BoardLine:
    """Return a line as other teams see it.

    The exact time could be compared with what somebody saw or said, and name the team of a pseudonym.
    """
    return msgspec.structs.replace(line, submission="", received=f"{line.received[:16]}Z")


def _count_outdated(rows: Sequence[BoardRow], lines: list[BoardLine], facts: list[EvaluationFacts], key: str) -> int:
    keys = {row.submission: row.key_sha256 for row in rows}
    return sum(
        not (fact.current and is_same_key(keys[line.submission], key)) for line, fact in zip(lines, facts, strict=True)
    )


def _add_public_ranks(lines: list[BoardLine], rows: Sequence[BoardRow], rule: RankingRule) -> list[BoardLine]:
    """Add the scores and ranks of the public board."""
    public = {ranked.entry.team: ranked for ranked in rank_rows(rows, rule, "public")}
    return [
        msgspec.structs.replace(line, public=public[line.team].entry.score, public_rank=public[line.team].rank)
        for line in lines
    ]


@lru_cache(maxsize=32)
def load_evaluation(files: FileStore, digest: str) -> Evaluation:
    """Load a stored evaluation; the cache is never stale, because the digest is its content."""
    return msgspec.json.decode(files.read(digest), type=Evaluation)


@lru_cache(maxsize=4096)
def collect_facts(files: FileStore, task: bytes, digest: str, share: Share) -> EvaluationFacts:
    """Return the facts of an evaluation; ``task`` is JSON, because cached arguments are hashed."""
    config, evaluation = msgspec.json.decode(task, type=Task), load_evaluation(files, digest)
    public = frozenset(evaluation.public_documents)
    rows = [row for row in evaluation.rows if share == "all" or row.document in public]
    system = _make_headline(config, evaluation, share)
    return EvaluationFacts(
        interval=None if system is None else compute_interval(system),
        covered=sum(row.answered for row in rows),
        documents=len(rows),
        scores=evaluation.scores if share == "all" else {},
        method=describe_method(evaluation),
        current=evaluation.ranking == get_ranking_score(config) and is_current(config, evaluation.signature),
    )


@lru_cache(maxsize=4096)
def compute_p_value(files: FileStore, task: bytes, digest: str, next_digest: str, share: Share) -> float | None:
    """Return the p-value of the difference between two evaluations; None if there is no other."""
    if not next_digest:
        return None
    config = msgspec.json.decode(task, type=Task)
    system = _make_headline(config, load_evaluation(files, digest), share)
    next_system = _make_headline(config, load_evaluation(files, next_digest), share)
    if system is None or next_system is None:
        return None
    return compute_difference_p(system, next_system)


def _make_headline(task: Task, evaluation: Evaluation, share: Share) -> HeadlineScore | None:
    """Return the score that ranks; None if the profile has changed, and with it the counts."""
    if evaluation.ranking != get_ranking_score(task) or not is_current(task, evaluation.signature, any_version=True):
        return None
    documents = evaluation.public_documents if share == "public" else None
    return compute_headline(task, evaluation, documents)


def describe_method(evaluation: Evaluation) -> str:
    """Return how answers were scored: the signature without the response and its scores."""
    profile, *fields = evaluation.signature.split("|")
    kept = [field for field in fields if ":" in field and field.split(":")[0] not in ("response", "scores")]
    return "|".join([profile, *kept, f"rank:{evaluation.ranking}"])


def compute_interval(system: HeadlineScore) -> tuple[float, float] | None:
    """Return the confidence interval of a score; None if there are too few documents."""
    if len(system.documents) < 2:
        return None
    (figures,) = bootstrap_figures([system.tallies], system.statistic, SAMPLES, SEED)
    low, high = percentile_interval(figures, CONFIDENCE)
    return float(low[0]), float(high[0])


def compute_difference_p(system: HeadlineScore, other: HeadlineScore) -> float | None:
    """Return the p-value of a difference; None if the systems cannot be compared."""
    if len(system.documents) < 2 or system.documents != other.documents:
        return None
    tallies = [system.tallies, other.tallies]
    return float(randomisation_p(tallies, [(0, 1)], system.statistic, SAMPLES, SEED)[0, 0])


def export_board(board: Board, kind: str) -> str:
    """Return the board as the text of a file with the extension ``kind``."""
    if kind not in EXPORT_FORMATS:
        raise UnknownName("export", kind, list(EXPORT_FORMATS))
    if kind == "json":
        return msgspec.json.format(msgspec.json.encode(board_to_dict(board)), indent=2).decode()
    return render_table(board_to_table(board), _TABLE_FORMATS[kind]) + "\n"


def board_to_dict(board: Board) -> dict[str, Any]:
    """Return the board as plain values; programs may rely on the keys."""
    values: dict[str, Any] = msgspec.to_builtins(board)
    for line, plain in zip(board.lines, values["lines"], strict=True):
        plain["significant"] = line.significant
    return {**values, "confidence": CONFIDENCE, "alpha": ALPHA, "samples": SAMPLES}


def board_to_table(board: Board) -> Table:
    """Return the board as a table, with fractions as percentages."""
    headers: tuple[str, ...] = ("Rank", "Team", board.measure, "95 % interval", "p to next", "Documents")
    rows = [_make_cells(line) for line in board.lines]
    if board.split:
        headers += ("Public", "Public rank")
        rows = [(*row, *_make_public_cells(line)) for row, line in zip(rows, board.lines, strict=True)]
    share = " (public share of the documents)" if board.share == "public" else ""
    return Table(
        caption=f"{board.campaign}: {board.task_title}, {board.phase_title}{share}",
        headers=headers,
        rows=tuple(rows),
        notes=tuple(map(clean_text, board.methods)),
    )


def _make_cells(line: BoardLine) -> tuple[str, ...]:
    return (
        str(line.rank),
        clean_text(line.team),
        percent(line.score),
        _NONE if line.low is None or line.high is None else f"{percent(line.low)}–{percent(line.high)}",
        format_p_value(line.p),
        f"{line.covered}/{line.documents}",
    )


def _make_public_cells(line: BoardLine) -> tuple[str, str]:
    if line.public is None or line.public_rank is None:
        return _NONE, _NONE
    return percent(line.public), str(line.public_rank)


def format_p_value(p: float | None) -> str:
    """Return a p-value as text.

    >>> format_p_value(0.0321), format_p_value(0.0001), format_p_value(None)
    ('0.032', '< 0.001', '–')
    """
    if p is None:
        return _NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def clean_text(text: str) -> str:
    r"""Return text in one line without control characters, with formulas quoted.

    >>> clean_text("a\n\tb\u202e"), clean_text("\uff1d1")
    ('a b', "'\uff1d1")
    """
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return f"'{line}" if line[:1] in _FULL_WIDTH_FORMULA_CHARACTERS and line else line
