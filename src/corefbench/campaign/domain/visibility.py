"""Who sees what, and when.

===================  =========  =========  ===========  ==========
                     visitor    applicant  participant  organiser
===================  =========  =========  ===========  ==========
rules and dates      yes        yes        yes          yes
inputs               no         no         while open   yes
own scores           –          –          on release   yes
own errors           –          –          not blind    yes
board                published  published  on release   yes
names of others      anonymity  anonymity  anonymity    yes
keys                 no         no         no           no
===================  =========  =========  ===========  ==========

An applicant has an account whose team no organiser has approved yet. Names are chosen where rows
are read from the database (``are_names_shown``), so that no page or export can forget to.
"""

from datetime import datetime
from typing import Literal, TypeAlias

from corefbench.campaign.domain.config import Anonymity, Phase

Role: TypeAlias = Literal["visitor", "applicant", "participant", "organiser"]
ROLES: tuple[Role, ...] = ("visitor", "applicant", "participant", "organiser")


def are_scores_released(phase: Phase, now: datetime, *, published: bool) -> bool:
    """Return whether a team may see its own scores."""
    if phase.scores == "at-once":
        return True
    return published or (phase.scores == "at-close" and now >= phase.closes)


def can_see_scores(role: Role, phase: Phase, now: datetime, *, own: bool, published: bool) -> bool:
    """Return whether the scores of a submission are shown."""
    if role == "organiser":
        return True
    return role == "participant" and own and are_scores_released(phase, now, published=published)


def can_see_errors(role: Role, phase: Phase, now: datetime, *, own: bool, published: bool) -> bool:
    """Return whether errors of a submission are shown: they quote the texts of the phase."""
    return not phase.blind and can_see_scores(role, phase, now, own=own, published=published)


def can_see_board(role: Role, phase: Phase, now: datetime, *, published: bool) -> bool:
    """Return whether the ranking of a phase is shown."""
    if role == "organiser" or published:
        return True
    return role == "participant" and are_scores_released(phase, now, published=published)


def can_see_private(role: Role, *, published: bool) -> bool:
    """Return whether the board is over all documents, not only the public share."""
    return role == "organiser" or published


def are_names_shown(role: Role, anonymity: Anonymity, *, published: bool) -> bool:
    """Return whether teams are shown by name, not by pseudonym; the own team always is.

    >>> are_names_shown("participant", "until-published", published=True)
    True
    >>> are_names_shown("visitor", "always", published=True)
    False
    """
    if role == "organiser" or anonymity == "none":
        return True
    return anonymity == "until-published" and published
