"""The campaign: its tasks, its phases and their dates; nothing about where data and keys are."""

from corefbench.campaign.domain.definition import Anonymity, Rule
from corefbench.campaign.platform import Platform
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.places import TaskInPhase, all_places
from corefbench.record import Record
from corefbench.web.page import Query


class CampaignShown(Record, frozen=True):
    """What everybody may know, and what concerns the team of who asks."""

    name: str
    title: str
    description: str
    contact: str
    anonymity: Anonymity
    approval: bool
    ranking: Rule
    places: tuple[TaskInPhase, ...]
    """Every task of every phase."""


def answer(platform: Platform, visitor: Visitor, query: Query) -> CampaignShown:
    """All of it."""
    campaign = platform.campaign
    return CampaignShown(
        name=campaign.name,
        title=campaign.title,
        description=campaign.description,
        contact=campaign.contact,
        anonymity=campaign.anonymity,
        approval=campaign.approval,
        ranking=campaign.ranking,
        places=tuple(all_places(platform, visitor)),
    )
