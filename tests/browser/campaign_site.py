"""A campaign that is served to browsers: its clock stands, a worker scores."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.database import Database, make_sqlite_url
from corefbench.campaign.storage.migrations import upgrade_database
from corefbench.campaign.views.app import create_app
from corefbench.records import Record
from corefbench.web.server import bind_socket
from tests.campaign import MovableClock, platform_of, write_campaign

_PATIENCE = 60.0


class Served(Record, frozen=True, eq=False):
    """Where it is, and what it runs on."""

    address: str
    platform: Platform
    clock: MovableClock


@contextmanager
def campaign_served(folder: Path) -> Iterator[Served]:
    """The tiny campaign on a free port, on SQLite."""
    import uvicorn

    (folder / "state").mkdir(parents=True)
    url, clock = make_sqlite_url(folder / "state" / "campaign.db"), MovableClock()
    database = Database(url)
    upgrade_database(database)
    database.close()
    platform = platform_of(write_campaign(folder / "tiny"), folder / "state", url, clock)
    listening = bind_socket("127.0.0.1", 0)
    config = uvicorn.Config(create_app(platform), log_level="error", ws="none", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    end = monotonic() + _PATIENCE
    while not server.started and monotonic() < end:
        sleep(0.02)
    yield Served(address=f"http://127.0.0.1:{listening.getsockname()[1]}", platform=platform, clock=clock)
    server.should_exit = True
    thread.join(_PATIENCE)
    listening.close()
    platform.close()
