"""Workers that live and end with the server."""

import logging
from asyncio import to_thread
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from os import getpid
from socket import gethostname
from threading import Event, Thread

from corefbench.campaign.platform import Platform

_PATIENCE = 30.0
"""Seconds that a worker may take to give back what it has begun."""
_log = logging.getLogger("corefbench.campaign")


@asynccontextmanager
async def workers(platform: Platform, count: int) -> AsyncIterator[None]:
    """So many workers in threads; at the end they are told to stop, and waited for."""
    from corefbench.campaign.housekeeping import keep_house
    from corefbench.campaign.jobs.worker import work

    stop = Event()
    place = f"{gethostname()[:40]}-{getpid()}"  # servers on several machines have one database
    threads = [
        Thread(
            target=work,
            args=(platform,),
            kwargs={"stop": stop, "name": f"{place}-{number}"},
            name=f"worker-{number}",
            daemon=True,
        )
        for number in range(count)
    ]
    threads.append(Thread(target=keep_house, args=(platform,), kwargs={"stop": stop}, daemon=True))
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            await to_thread(thread.join, _PATIENCE)
            if thread.is_alive():
                _log.warning("worker did not stop in time", extra={"worker": thread.name})
