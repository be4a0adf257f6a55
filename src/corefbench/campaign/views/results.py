"""The scores of a submission that may be seen, by whom and when."""

from collections.abc import Collection

from sqlalchemy import Connection

from corefbench.campaign.domain.errors_seen import ErrorsSeen
from corefbench.campaign.domain.evaluation import Evaluation
from corefbench.campaign.domain.states import SHOWN
from corefbench.campaign.domain.visibility import sees_errors, sees_private, sees_scores
from corefbench.campaign.facts import evaluation_of
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.evaluations import evaluation
from corefbench.campaign.storage.settings import is_published
from corefbench.campaign.storage.submissions import Submission
from corefbench.campaign.views.access import Visitor
from corefbench.findings import Finding
from corefbench.measures.tally import Score
from corefbench.record import Record


class Result(Record, frozen=True):
    """The scores that may be seen."""

    ranking: str
    """The name of the score that ranks."""
    headline: float
    """Its value, 0 to 1 …"""
    share: str
    """… over ``all`` documents, or over the ``public`` share of them."""
    covered: int
    documents: int
    scores: dict[str, Score] = {}  # noqa: RUF012
    signature: str = ""
    findings: tuple[Finding, ...] = ()


class Seen(Record, frozen=True):
    """What may be seen of an evaluation."""

    result: Result
    errors: ErrorsSeen | None


def seen_of(
    platform: Platform, connection: Connection, visitor: Visitor, one: Submission
) -> Seen | None:
    """The scores and errors; None until they are there and may be seen."""
    if one.state not in SHOWN or one.evaluation is None:
        return None
    phase, now = platform.campaign.phase(one.phase), platform.clock()
    own, published = one.team == visitor.team, is_published(connection, one.phase)
    if not sees_scores(visitor.role, phase, now, own=own, published=published):
        return None
    kept = evaluation(connection, one.evaluation)
    if kept is None:
        return None
    made = evaluation_of(platform.files, kept.sha256)
    whole = phase.public >= 1 or sees_private(visitor.role, published=published)
    documents = None if whole else frozenset(made.public_documents)
    open_ = sees_errors(visitor.role, phase, now, own=own, published=published)
    return Seen(result=_result(made, documents), errors=_errors(made, documents) if open_ else None)


def _result(made: Evaluation, documents: Collection[str] | None) -> Result:
    """The scores; before publication, where a part is private, only the one over the rest."""
    if documents is None:
        return Result(
            ranking=made.ranking,
            headline=made.headline,
            share="all",
            covered=made.covered,
            documents=len(made.rows),
            scores=made.scores,
            signature=made.signature,
            findings=made.findings,
        )
    rows = [row for row in made.rows if row.document in documents]
    return Result(
        ranking=made.ranking,
        headline=made.public,
        share="public",
        covered=sum(row.answered for row in rows),
        documents=len(rows),
        findings=made.findings,
    )


def _errors(made: Evaluation, documents: Collection[str] | None) -> ErrorsSeen | None:
    seen = made.errors
    if documents is None or seen is None:
        return seen
    return ErrorsSeen(
        documents=tuple(row for row in seen.documents if row.document in documents),
        examples=tuple(row for row in seen.examples if row.mention.document in documents),
    )
