import sys
from email.message import Message
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from packaging.requirements import Requirement

from corefbench import doctor
from corefbench.doctor import (
    MODELS,
    Check,
    check_cache,
    check_datasets,
    check_extras,
    check_models,
    check_package,
    check_plugins,
    check_programs,
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder of packages that were never really installed."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(name: str, version: str, code: str | None = "") -> None:
        folder = tmp_path / f"{name}-{version}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        if code is not None:
            (tmp_path / f"{name}.py").write_text(code)

    yield install
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(path.stem, None)


@pytest.mark.parametrize(
    ("version", "limits", "fits"),
    [
        ("2.13.0+cpu", ">=2.6", True),
        ("3.9", ">=3.8,<3.9", False),
        ("3.8", ">=3.8.0", True),
        ("3.9rc1", ">=3.8", True),
        ("7", "", True),
    ],
)
def test_a_version_out_of_range_is_broken(site, version: str, limits: str, fits: bool) -> None:
    site("somepackage", version)
    check = check_package(Requirement(f"somepackage{limits}"))
    assert check.state == ("present" if fits else "broken")


def test_a_package_is_present_missing_or_broken(site) -> None:
    site("goodpackage", "1.2")
    site("oldpackage", "0.9")
    site("hollowpackage", "1.0", code=None)
    assert check_package(Requirement("goodpackage>=1")).state == "present"
    assert check_package(Requirement("absentpackage")).state == "missing"
    old = check_package(Requirement("oldpackage>=1"))
    assert (old.state, old.remedy) == ("broken", "pip install 'oldpackage>=1'")
    hollow = check_package(Requirement("hollowpackage"))
    assert hollow.found == "the module hollowpackage is missing"


def test_a_package_is_imported_only_when_everything_is_tried(site) -> None:
    site("brokenpackage", "1.0", code="raise OSError('no such library')")
    asked = Requirement("brokenpackage")
    assert check_package(asked).state == "present"
    assert check_package(asked, thorough=True).found == "OSError: no such library"


def test_an_extra_is_as_good_as_its_packages_and_those_of_the_extras_it_names(site, monkeypatch) -> None:
    site("goodpackage", "1.2")
    site("oldpackage", "0.9")
    lines = [
        "numpy>=2.0",
        "goodpackage; extra == 'ui'",
        "corefbench[ui]; extra == 'campaign'",
        "absentpackage; extra == 'campaign'",
        "oldpackage>=1; extra == 'own'",
    ]
    metadata = Message()
    for extra in ("own", "campaign", "ui"):
        metadata["Provides-Extra"] = extra
    installed = SimpleNamespace(requires=lines, metadata=metadata)
    monkeypatch.setattr(doctor, "distribution", lambda name: installed)
    found = {check.name: check for check in check_extras()}
    assert list(found) == ["ui", "campaign", "own"]
    assert [check.state for check in found.values()] == ["present", "missing", "broken"]
    assert found["campaign"].found == "without absentpackage"
    assert found["campaign"].remedy == "pip install 'corefbench[campaign]'"
    assert found["ui"].version == "goodpackage 1.2"


def test_every_extra_of_the_project_is_explained() -> None:
    import tomllib

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert project["project"]["optional-dependencies"].keys() <= doctor.EXTRA_PURPOSES.keys()


CODE = """
class Good:
    card = "a card"

class Bare:
    pass
"""
POINTS = """
[corefbench.measures]
good-measure = doctor_example:Good
bare-measure = doctor_example:Bare
muc = doctor_example:Good

[corefbench.formats]
gone = doctor_example:Gone
failing = doctor_failing:Format
"""


def test_plug_ins_are_loaded_and_their_faults_told(tmp_path, monkeypatch) -> None:
    metadata = tmp_path / "doctor_example-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: doctor-example\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(POINTS)
    (tmp_path / "doctor_example.py").write_text(CODE)
    (tmp_path / "doctor_failing.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = {check.name: check for check in check_plugins()}
    sys.modules.pop("doctor_example", None)
    assert found["good-measure"].state == "present"
    assert found["good-measure"].version == "doctor-example 1.0"
    assert found["good-measure"].purpose == "measure"
    assert found["bare-measure"].found == "doctor_example:Bare has no card"
    assert "is used instead" in found["muc"].found
    assert "AttributeError" in found["gone"].found
    assert found["failing"].found == "doctor_failing:Format: ZeroDivisionError: division by zero"
    assert {check.state for name, check in found.items() if name != "good-measure"} == {"broken"}


def test_without_a_folder_of_data_there_is_one_line_that_says_what_to_set() -> None:
    (one,) = check_datasets({})
    assert (one.name, one.state) == ("COREFBENCH_DATA", "missing")
    (one,) = check_datasets({"COREFBENCH_DATA": "/no/such/folder"})
    assert one.state == "broken"


def test_corpora_are_named_that_lie_where_the_catalogue_says(tmp_path: Path) -> None:
    (tmp_path / "litbank" / "conll").mkdir(parents=True)
    assert [check.name for check in check_datasets({"COREFBENCH_DATA": str(tmp_path)})] == ["litbank"]


def test_the_cache_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COREFBENCH_CACHE", str(tmp_path))
    assert check_cache().state == "missing"
    (tmp_path / "analyses" / "ab").mkdir(parents=True)
    (tmp_path / "analyses" / "ab" / "x").write_bytes(bytes(250_000))
    found = check_cache()
    assert (found.state, found.version, found.found) == ("present", "0.2 MB", "1 entries")


def test_programs_are_looked_for_on_the_path(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert {check.state for check in check_programs()} == {"missing"}
    program = tmp_path / "timbl"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert [check.found for check in check_programs() if check.state == "present"] == [str(program)]


def test_models_are_there_and_say_what_they_need() -> None:
    ready = {"en": Check(name="en", state="present")}
    found = {check.name: check for check in check_models(ready)}
    assert found.keys() == MODELS.keys()
    assert {check.state for check in found.values()} == {"present"}
    assert found["en"].found == ""
    assert found["neural"].found == "needs the extra neural"


def test_a_model_that_does_not_load_is_broken(monkeypatch) -> None:
    def fail() -> None:
        raise RuntimeError("no such operator")

    monkeypatch.setattr(doctor, "MODELS", {name: replace(model, run=fail) for name, model in MODELS.items()})
    ready = {name: Check(name=name, state="present") for name in ("en", "en-accurate", "neural")}
    assert {check.state for check in check_models(ready)} == {"present"}
    found = list(check_models(ready, thorough=True))
    assert {check.state for check in found} == {"broken"}
    assert found[0].found == "RuntimeError: no such operator"


def test_a_model_that_is_only_a_pointer_is_broken(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(doctor, "_PACKAGE", tmp_path)
    assert {check.state for check in check_models({})} == {"broken"}
