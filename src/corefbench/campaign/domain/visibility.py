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
are read from the database (``names_shown``), so that no page or export can forget to.
"""

from datetime import datetime
from typing import Literal, TypeAlias

from corefbench.campaign.domain.definition import Anonymity, Phase

Role: TypeAlias = Literal["visitor", "applicant", "participant", "organiser"]
ROLES: tuple[Role, ...] = ("visitor", "applicant", "participant", "organiser")


def scores_released(phase: Phase, now: datetime, *, published: bool) -> bool:
    """Whether a team may know its own scores."""
    if phase.scores == "at-once":
        return True
    return published or (phase.scores == "at-close" and now >= phase.closes)


def sees_scores(role: Role, phase: Phase, now: datetime, *, own: bool, published: bool) -> bool:
    """Whether the scores of a submission are shown."""
    if role == "organiser":
        return True
    return role == "participant" and own and scores_released(phase, now, published=published)


def sees_errors(role: Role, phase: Phase, now: datetime, *, own: bool, published: bool) -> bool:
    """Whether documents and errors of a submission are shown: they quote the texts of the phase."""
    return not phase.blind and sees_scores(role, phase, now, own=own, published=published)


def sees_board(role: Role, phase: Phase, now: datetime, *, published: bool) -> bool:
    """Whether the ranking of a phase is shown."""
    if role == "organiser" or published:
        return True
    return role == "participant" and scores_released(phase, now, published=published)


def sees_private(role: Role, *, published: bool) -> bool:
    """Whether the board is over all documents, not only the public share of them."""
    return role == "organiser" or published


def names_shown(role: Role, anonymity: Anonymity, *, published: bool) -> bool:
    """Whether teams are called by their names, not by their pseudonyms; one's own always is.

    >>> names_shown("participant", "until-published", published=True)
    True
    >>> names_shown("visitor", "always", published=True)
    False
    """
    if role == "organiser" or anonymity == "none":
        return True
    return anonymity == "until-published" and published
