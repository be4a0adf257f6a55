"""A step that exists is taken: the state that was asked for comes out."""

from itertools import product

from corefbench.campaign.domain.states import STATES, become, may_become


def test_every_allowed_step_leads_where_it_should():
    allowed = [(now, then) for now, then in product(STATES, STATES) if may_become(now, then)]
    assert ("queued", "scoring") in allowed
    assert [become(now, then) for now, then in allowed] == [then for _, then in allowed]
