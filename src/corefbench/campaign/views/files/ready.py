"""Whether the server can take submissions: its database answers and its folder can be written."""

import os

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.tables import settings
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.given import Given
from corefbench.web.page import Query


def give(platform: Platform, visitor: Visitor, query: Query) -> Given:
    """Ready, or what is missing."""
    missing = _missing(platform)
    body = f"not ready: {missing}\n" if missing else "ready\n"
    return Given(
        body=body.encode(),
        media_type="text/plain; charset=utf-8",
        status=503 if missing else 200,
    )


def _missing(platform: Platform) -> str:
    try:
        with platform.database.read() as connection:
            connection.execute(select(settings.c.name).limit(1))
    except SQLAlchemyError:
        return "the database does not answer"
    if not os.access(platform.files.folder, os.W_OK):
        return "the folder of files cannot be written"
    return ""
