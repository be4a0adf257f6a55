from corefbench.campaign.domain.evaluation import Scored
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.evaluations import BoardRow, list_board_rows
from corefbench.campaign.storage.submissions import (
    Submission,
    disqualify_submission,
    requeue_submission,
    withdraw_submission,
)
from corefbench.campaign.storage.users import get_pseudonyms
from tests.campaign import MovableClock, enter, evaluation, score, submit


def board(platform: Platform, *, names: bool = True, own: str | None = None) -> list[BoardRow]:
    with platform.database.read() as connection:
        return list_board_rows(connection, "training", "coreference", names=names, own=own)


def test_names_are_chosen_in_the_query(platform: Platform, clock: MovableClock) -> None:
    ada, eve = enter(platform, "Engines"), enter(platform, "Eavesdroppers")
    for person, headline in ((ada, 0.5), (eve, 0.75)):
        submit(platform, person)
        score(platform, Scored(evaluation=evaluation(headline, public=0.1)))
        clock.forward(seconds=1)
    with platform.database.read() as connection:
        called = get_pseudonyms(connection)
    hidden = [called[one.team or "", "training"] for one in (ada, eve)]
    assert [row.team for row in board(platform)] == ["Engines", "Eavesdroppers"]
    assert [row.team for row in board(platform, names=False)] == hidden
    own = board(platform, names=False, own=ada.team)
    assert [(row.team, row.own) for row in own] == [("Engines", True), (hidden[1], False)]
    assert [(row.headline, row.public) for row in own] == [(0.5, 0.1), (0.75, 0.1)]


def test_only_what_is_scored_and_not_ended_is_on_the_board(platform: Platform, clock: MovableClock) -> None:
    ada, made = enter(platform), []
    for number in range(5):
        one = submit(platform, ada, b"%d" % number)
        assert isinstance(one, Submission)
        made.append(one.id)
        clock.forward(seconds=1)
    for _ in range(4):
        score(platform, 0.5)
    with platform.database.write() as connection:
        withdraw_submission(connection, made[0], person=None, now=clock())
        disqualify_submission(connection, made[1], person=None, reason="", now=clock())
        requeue_submission(connection, platform.campaign, made[2], person=None, now=clock())
    shown = [(row.submission, row.headline, row.being_rescored) for row in board(platform)]
    assert shown == [(made[2], 0.5, True), (made[3], 0.5, False)]
    score(platform, 0.75)
    shown = [(row.submission, row.headline, row.being_rescored) for row in board(platform)]
    assert shown == [(made[2], 0.75, False), (made[3], 0.5, False)]
