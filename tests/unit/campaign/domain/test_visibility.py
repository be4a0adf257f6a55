"""Who sees what: the table of the module, spelled out."""

from datetime import UTC, datetime
from itertools import product

import pytest

from corefbench.campaign.domain.config import Phase
from corefbench.campaign.domain.visibility import (
    ROLES,
    are_names_shown,
    can_see_board,
    can_see_errors,
    can_see_private,
    can_see_scores,
)

OPENS = datetime(2026, 3, 1, tzinfo=UTC)
CLOSES = datetime(2026, 4, 1, tzinfo=UTC)
RELEASED = {
    ("at-once", OPENS, False): True,
    ("at-once", CLOSES, False): True,
    ("at-close", OPENS, False): False,
    ("at-close", CLOSES, False): True,
    ("published", CLOSES, False): False,
    ("published", OPENS, True): True,
}


def phase(scores: str, *, blind: bool = True) -> Phase:
    return Phase(name="p", title="P", opens=OPENS, closes=CLOSES, data=(), scores=scores, blind=blind)


@pytest.mark.parametrize(("when", "seen"), list(RELEASED.items()))
def test_a_team_learns_its_scores_when_they_are_released_and_never_those_of_others(when, seen):
    release, now, published = when
    shown = phase(release)
    own = can_see_scores("participant", shown, now, own=True, published=published)
    other = can_see_scores("participant", shown, now, own=False, published=published)
    assert (own, other) == (seen, False)


@pytest.mark.parametrize(("role", "when"), list(product(("visitor", "applicant"), RELEASED)))
def test_who_does_not_take_part_sees_no_scores_of_submissions(role, when):
    release, now, published = when
    assert not can_see_scores(role, phase(release), now, own=True, published=published)


@pytest.mark.parametrize("role", ROLES)
def test_errors_of_a_blind_phase_are_shown_to_nobody(role):
    assert not can_see_errors(role, phase("at-once"), CLOSES, own=True, published=True)


def test_errors_are_shown_to_their_team_where_the_phase_is_not_blind():
    seen = {
        role: can_see_errors(role, phase("at-once", blind=False), OPENS, own=True, published=False) for role in ROLES
    }
    assert seen == {"visitor": False, "applicant": False, "participant": True, "organiser": True}


def test_a_board_is_public_once_it_is_published():
    assert all(can_see_board(role, phase("published"), OPENS, published=True) for role in ROLES)


def test_before_that_only_organisers_and_teams_that_know_their_scores_see_it():
    seen = {role: can_see_board(role, phase("at-close"), CLOSES, published=False) for role in ROLES}
    assert seen == {"visitor": False, "applicant": False, "participant": True, "organiser": True}
    assert not can_see_board("participant", phase("at-close"), OPENS, published=False)


def test_the_private_share_of_documents_waits_for_publication():
    assert not can_see_private("participant", published=False)
    assert can_see_private("participant", published=True)
    assert can_see_private("organiser", published=False)


def test_pseudonyms_chosen_for_ever_stay_after_publication():
    assert not are_names_shown("participant", "always", published=True)
    assert are_names_shown("organiser", "always", published=True)
    assert not are_names_shown("visitor", "until-published", published=False)
    assert are_names_shown("visitor", "none", published=False)
