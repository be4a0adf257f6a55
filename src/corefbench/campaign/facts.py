"""What boards take from the evaluations that were kept.

What a digest names never changes, so nothing that is remembered here can become wrong.
"""

from functools import lru_cache

import msgspec

from corefbench.campaign.board import Share
from corefbench.campaign.confidence import Interval, interval, p_of_difference
from corefbench.campaign.domain.currency import is_current
from corefbench.campaign.domain.definition import Task
from corefbench.campaign.domain.evaluation import Evaluation
from corefbench.campaign.domain.headline import Headline, headline
from corefbench.campaign.domain.scores import ranking_score
from corefbench.campaign.storage.files import FileStore
from corefbench.measures import Score
from corefbench.record import Record


class Facts(Record, frozen=True):
    """What a board takes from an evaluation, over a share of the documents."""

    interval: Interval | None
    covered: int
    documents: int
    scores: dict[str, Score]
    method: str
    current: bool


@lru_cache(maxsize=32)
def evaluation_of(files: FileStore, digest: str) -> Evaluation:
    """An evaluation that was kept."""
    return msgspec.json.decode(files.read(digest), type=Evaluation)


@lru_cache(maxsize=4096)
def facts_of(files: FileStore, task: bytes, digest: str, share: Share) -> Facts:
    """Of the evaluation with this digest; ``task`` is the task as JSON."""
    asked, made = msgspec.json.decode(task, type=Task), evaluation_of(files, digest)
    shown = frozenset(made.public_documents)
    rows = [row for row in made.rows if share == "all" or row.document in shown]
    system = _headline(asked, made, share)
    return Facts(
        interval=None if system is None else interval(system),
        covered=sum(row.answered for row in rows),
        documents=len(rows),
        scores=made.scores if share == "all" else {},
        method=method(made),
        current=made.ranking == ranking_score(asked) and is_current(asked, made.signature),
    )


@lru_cache(maxsize=4096)
def p_between(files: FileStore, task: bytes, one: str, other: str, share: Share) -> float | None:
    """The p of the difference between two evaluations; none where there is no other."""
    if not other:
        return None
    asked = msgspec.json.decode(task, type=Task)
    systems = [_headline(asked, evaluation_of(files, digest), share) for digest in (one, other)]
    if systems[0] is None or systems[1] is None:
        return None
    return p_of_difference(systems[0], systems[1])


def _headline(task: Task, made: Evaluation, share: Share) -> Headline | None:
    """None where the task is scored by another profile since: what it counted is not the same."""
    if made.ranking != ranking_score(task) or not is_current(
        task, made.signature, any_version=True
    ):
        return None
    return headline(task, made, made.public_documents if share == "public" else None)


def method(made: Evaluation) -> str:
    """How it was scored: the signature without whose it is and what came of it."""
    first, *rest = made.signature.split("|")
    kept = [one for one in rest if ":" in one and one.split(":")[0] not in ("response", "scores")]
    return "|".join([first, *kept, f"rank:{made.ranking}"])
