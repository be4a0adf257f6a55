from pathlib import Path

import pytest

from corefbench.doctor.check import Check
from corefbench.doctor.models import SHIPPED, models
from corefbench.doctor.surroundings import cache, data, programs


def test_without_a_folder_of_data_there_is_one_line_that_says_what_to_set() -> None:
    (one,) = data({})
    assert (one.name, one.state) == ("COREFBENCH_DATA", "missing")
    (one,) = data({"COREFBENCH_DATA": "/no/such/folder"})
    assert one.state == "broken"


def test_corpora_are_named_that_lie_where_the_catalogue_says(tmp_path: Path) -> None:
    (tmp_path / "litbank" / "conll").mkdir(parents=True)
    assert [one.name for one in data({"COREFBENCH_DATA": str(tmp_path)})] == ["litbank"]


def test_the_cache_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COREFBENCH_CACHE", str(tmp_path))
    assert cache().state == "missing"
    (tmp_path / "analyses" / "ab").mkdir(parents=True)
    (tmp_path / "analyses" / "ab" / "x").write_bytes(bytes(250_000))
    found = cache()
    assert (found.state, found.version, found.found) == ("present", "0.2 MB", "1 entries")


def test_programs_are_looked_for_on_the_path(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert {one.state for one in programs()} == {"missing"}
    program = tmp_path / "timbl"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert [one.found for one in programs() if one.state == "present"] == [str(program)]


def test_models_are_there_and_say_what_they_need() -> None:
    ready = {"en": Check(name="en", state="present")}
    found = {one.name: one for one in models(ready)}
    assert found.keys() == SHIPPED.keys()
    assert {one.state for one in found.values()} == {"present"}
    assert found["en"].found == ""
    assert found["neural"].found == "needs the extra neural"


def test_a_model_that_does_not_load_is_broken(monkeypatch) -> None:
    from corefbench.doctor import models as module

    def fail() -> None:
        raise RuntimeError("no such operator")

    monkeypatch.setattr(module, "_LOADERS", dict.fromkeys(SHIPPED, fail))
    ready = {name: Check(name=name, state="present") for name in ("en", "en-accurate", "neural")}
    assert {one.state for one in models(ready)} == {"present"}
    found = list(models(ready, thorough=True))
    assert {one.state for one in found} == {"broken"}
    assert found[0].found == "RuntimeError: no such operator"


def test_a_model_that_is_only_a_pointer_is_broken(tmp_path: Path, monkeypatch) -> None:
    from corefbench.doctor import models as module

    monkeypatch.setattr(module, "_PACKAGE", tmp_path)
    assert {one.state for one in models({})} == {"broken"}
