"""A run that several workers read is the run that one reads, but for the time it took."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from corefbench.formats import shards
from corefbench.formats.sharing import Sharing
from corefbench.runs.record import record_scores
from corefbench.runs.schema import Timing
from tests.unit.scoring.test_sharded import conll


@pytest.mark.parametrize("engine", ["serial", "processes"])
def test_workers_make_the_same_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    monkeypatch.setattr(shards, "BYTES", 2000)
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_bytes(conll(1))
    response.write_bytes(conll(2))
    shared: list[bool] = []
    added = Sharing.added

    def watched(self: Sharing, work: object, where: object) -> object:
        made = added(self, work, where)  # type: ignore[arg-type]
        shared.append(made is not None)
        return made

    monkeypatch.setattr(Sharing, "added", watched)
    how = {"created": datetime(2026, 1, 1, tzinfo=UTC), "timing": Timing()}
    alone = record_scores(key, {"x": response}, **how)
    assert shared == [False, False]
    together = record_scores(key, {"x": response}, engine=engine, jobs=2, **how)
    assert shared[2:] == [True, True]
    assert together.header == alone.header
    assert together.checksum() == alone.checksum()
