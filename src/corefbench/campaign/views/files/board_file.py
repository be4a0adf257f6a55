"""A board to take away, as the one who asks may see it."""

from typing import get_args

from corefbench.campaign.exports import EXPORTS, MEDIA_TYPES, Export, export
from corefbench.campaign.platform import Platform
from corefbench.campaign.standings import standings
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.given import Given
from corefbench.errors import UnknownName
from corefbench.web.page import Query


def give(platform: Platform, visitor: Visitor, query: Query) -> Given:
    """The board as a file of this kind: ``tex``, ``csv``, ``md`` or ``json``."""
    kind = _kind(query["kind"])
    phase, task = query["phase"], query["task"]
    board = standings(platform, phase, task, role=visitor.role, team=visitor.team)
    name = f"{platform.campaign.name}-{phase}-{task}.{kind}"
    return Given(body=export(board, kind).encode(), media_type=MEDIA_TYPES[kind], name=name)


def _kind(asked: str) -> Export:
    kinds: tuple[Export, ...] = get_args(Export)
    for kind in kinds:
        if asked == kind:
            return kind
    raise UnknownName("export", asked, list(EXPORTS))
