"""Housekeeping: what has expired is forgotten, what was broken off is removed, now and then."""

import logging
from threading import Event

from corefbench.campaign.platform import Platform, now
from corefbench.campaign.storage.orphans import remove_orphans
from corefbench.campaign.storage.sessions import forget_expired

_HOUR = 3600.0
_log = logging.getLogger("corefbench.campaign.housekeeping")


def keep_house(platform: Platform, *, stop: Event, every: float = _HOUR) -> None:
    """Tidy up until told to stop."""
    while not stop.wait(every):
        try:
            tidy(platform)
        except Exception:  # a database that is away for a while must not end it
            _log.exception("housekeeping could not go on")


def tidy(platform: Platform) -> None:
    """Do it once. The age of files is by the clock of the disk, whatever the campaign's says."""
    with platform.database.write() as connection:
        sessions = forget_expired(connection, platform.clock())
    removed = remove_orphans(platform.database, platform.files, now())
    _log.info("housekeeping", extra={"sessions": sessions, "files": removed})
