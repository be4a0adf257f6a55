from datetime import UTC, datetime, timedelta

import pytest

from corefbench.campaign.domain.config import Campaign, Data, Phase, Quota, Task
from corefbench.errors import UnknownName

TASKS = tuple(Task(name=name, title=name.upper(), scored="conll-2012") for name in ("links", "all"))


PHASE = Phase(
    name="test",
    title="Test",
    opens=datetime(2026, 3, 1, tzinfo=UTC),
    closes=datetime(2026, 3, 8, tzinfo=UTC),
    data=(Data(task="links", key="links.conll"), Data(task="all", key="all.conll")),
)


CAMPAIGN = Campaign(name="c", title="C", tasks=TASKS, phases=(PHASE,))


def test_tasks_phases_and_data_are_found_by_name():
    assert CAMPAIGN.task("all").title == "ALL"
    assert CAMPAIGN.phase("test") is PHASE
    assert PHASE.data_of("all").key == "all.conll"


def test_an_unknown_name_is_answered_with_what_there_is():
    with pytest.raises(UnknownName, match="link"):
        CAMPAIGN.task("link")
    with pytest.raises(UnknownName, match="phase"):
        CAMPAIGN.phase("trial")
    with pytest.raises(UnknownName, match="task in phase test"):
        PHASE.data_of("none")


def test_unless_told_otherwise_nothing_leaks_and_nothing_is_bounded():
    """Blind, scores only when published, names hidden till then, teams approved by hand."""
    assert (PHASE.blind, PHASE.scores, PHASE.public) == (True, "published", 1.0)
    assert (CAMPAIGN.anonymity, CAMPAIGN.approval, CAMPAIGN.ranking) == ("until-published", True, "best")
    assert Quota() == Quota(total=0, day=0) == PHASE.quota
    assert PHASE.window is None


def test_a_window_is_so_many_hours_long():
    phase = Phase(name="p", title="P", opens=PHASE.opens, closes=PHASE.closes, data=(), window_hours=1.5)
    assert phase.window == timedelta(minutes=90)
