"""Real corpora give the same, bit for bit, with one worker, with several, and with one killed."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from corefbench.analysis.statistics import describe
from corefbench.corpus.combine import keep_mentions
from corefbench.formats import make
from corefbench.formats import sharding as file_sharding
from corefbench.formats.capabilities import fit_to_format
from corefbench.scoring import sharding
from corefbench.scoring.api import score
from corefbench.scoring.sharding import score_sharded
from tests.properties.test_shared_corpora import PLACES, corpus

pytestmark = pytest.mark.slow
WORKERS = [("processes", 1), ("processes", 2), ("processes", 4), ("dask", 2)]


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    for module in (sharding, file_sharding):
        monkeypatch.setattr(module, "SHARD_BYTES", 10_000)


@pytest.fixture(params=sorted(PLACES), scope="module")
def files(request, tmp_path_factory) -> tuple[Path, Path]:
    """A corpus, and the same without every fifth mention, as files that can be cut."""
    folder = tmp_path_factory.mktemp(request.param)
    writer = make("conll")
    key = fit_to_format(corpus(request.param), writer.card.holds)
    response = keep_mentions(key, np.arange(len(key.mentions)) % 5 > 0)
    paths = folder / "key.conll", folder / "response.conll"
    for path, side in zip(paths, (key, response), strict=True):
        with path.open("wb") as stream:
            writer.write(side, stream)
    return paths


@pytest.mark.parametrize(("engine", "jobs"), WORKERS)
def test_scores_signatures_and_findings_are_the_same(files, engine, jobs):
    alone = score(*files)
    together = score_sharded(*files, alone.profile, engine=engine, jobs=jobs)
    assert together is not None, "it was not shared out"
    assert len(sharding.plan_shards(*files, size=10_000)) > 1
    assert str(together.signature) == str(alone.signature)
    assert together.findings == alone.findings
    assert together.documents == alone.documents
    for name, tally in alone.tallies.items():
        assert together.tallies[name].values.tobytes() == tally.values.tobytes()


@pytest.mark.parametrize(("engine", "jobs"), WORKERS)
def test_counts_are_the_same(files, engine, jobs):
    assert describe(files[0], engine=engine, jobs=jobs) == describe(files[0])


def test_a_worker_that_is_killed_changes_nothing(files):
    alone = score(*files)
    killed: list[int] = []
    over = threading.Event()

    def kill_one() -> None:
        while not over.is_set() and not killed:
            for worker in _workers():
                os.kill(worker, signal.SIGKILL)
                killed.append(worker)
                return
            time.sleep(0.01)

    killer = threading.Thread(target=kill_one)
    killer.start()
    try:
        together = score(*files, engine="processes", jobs=2)
    finally:
        over.set()
        killer.join()
    assert killed
    assert str(together.signature) == str(alone.signature)


def _workers() -> list[int]:
    """The worker processes of this one: grandchildren, whose parent is the fork server."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(folder.name)] = int(fields[1])
    children = {process for process, parent in parents.items() if parent == os.getpid()}
    return [process for process, parent in parents.items() if parent in children]
