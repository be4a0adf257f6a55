"""What a submission may become."""

from itertools import product

import pytest

from corefbench.campaign.domain.states import ENDED, REFUNDED, STATES, become, may_become
from corefbench.errors import UsageError


def test_what_has_ended_never_becomes_anything():
    assert not any(may_become(now, then) for now, then in product(ENDED, STATES))


def test_only_scoring_gives_an_outcome():
    for outcome in ("scored", "invalid", "failed"):
        assert [now for now in STATES if may_become(now, outcome)] == ["scoring"]


def test_everything_that_has_not_ended_can_be_stopped_but_what_gave_its_quota_back():
    assert not any(may_become("failed", then) for then in ENDED)
    for now in set(STATES) - ENDED - REFUNDED:
        assert may_become(now, "withdrawn")
        assert may_become(now, "disqualified")


def test_a_step_that_does_not_exist_is_refused_by_name():
    with pytest.raises(UsageError, match="CB307 a submission that is withdrawn cannot become"):
        become("withdrawn", "queued")
