import sys
from pathlib import Path

import pytest

from corefbench.doctor import packages
from corefbench.doctor.packages import extras, package
from corefbench.doctor.requirement import Requirement, requirement, satisfies


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder of packages that were never really installed."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(name: str, version: str, code: str | None = "") -> None:
        folder = tmp_path / f"{name}-{version}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        if code is not None:
            (tmp_path / f"{name}.py").write_text(code)

    yield install
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(path.stem, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("numpy>=2.0", Requirement(name="numpy", limits=">=2.0")),
        ("psycopg[binary]>=3.2; extra == 'postgresql'",
         Requirement(name="psycopg", limits=">=3.2", extra="postgresql", extras=("binary",))),
        ('corefbench[ui]; extra == "campaign"',
         Requirement(name="corefbench", extra="campaign", extras=("ui",))),
        ("x; python_version < '3.12' and extra == 'a'", Requirement(name="x", extra="a")),
    ],
)  # fmt: skip
def test_requirements_of_the_metadata_are_understood(text: str, expected: Requirement) -> None:
    assert requirement(text) == expected


@pytest.mark.parametrize(
    ("version", "limits", "fits"),
    [
        ("2.13.0+cpu", ">=2.6", True),
        ("3.9", ">=3.8,<3.9", False),
        ("3.8", ">=3.8.0", True),
        ("1.4.5", "~=1.4.2", True),
        ("1.5", "~=1.4.2", False),
        ("1", "!=1.0", False),
        ("7", "", True),
    ],
)
def test_versions_are_compared_by_their_numbers(version: str, limits: str, fits: bool) -> None:
    assert satisfies(version, limits) is fits


def test_a_package_is_present_missing_or_broken(site) -> None:
    site("goodpackage", "1.2")
    site("oldpackage", "0.9")
    site("hollowpackage", "1.0", code=None)
    assert package(Requirement(name="goodpackage", limits=">=1")).state == "present"
    assert package(Requirement(name="absentpackage")).state == "missing"
    old = package(Requirement(name="oldpackage", limits=">=1"))
    assert (old.state, old.remedy) == ("broken", "pip install 'oldpackage>=1'")
    assert (
        package(Requirement(name="hollowpackage")).found == "the module hollowpackage is not there"
    )


def test_a_package_is_imported_only_when_everything_is_tried(site) -> None:
    site("brokenpackage", "1.0", code="raise OSError('no such library')")
    asked = Requirement(name="brokenpackage")
    assert package(asked).state == "present"
    assert package(asked, thorough=True).found == "OSError: no such library"


def test_an_extra_is_as_good_as_its_packages_and_those_of_the_extras_it_names(
    site, monkeypatch
) -> None:
    site("goodpackage", "1.2")
    site("oldpackage", "0.9")
    lines = [
        "numpy>=2.0",
        "goodpackage; extra == 'ui'",
        "corefbench[ui]; extra == 'campaign'",
        "absentpackage; extra == 'campaign'",
        "oldpackage>=1; extra == 'own'",
    ]
    monkeypatch.setattr(packages, "requires", lambda name: lines)
    found = {one.name: one for one in extras()}
    assert list(found) == ["ui", "campaign", "own"]
    assert [one.state for one in found.values()] == ["present", "missing", "broken"]
    assert found["campaign"].found == "without absentpackage"
    assert found["campaign"].remedy == "pip install 'corefbench[campaign]'"
    assert found["ui"].version == "goodpackage 1.2"


def test_every_extra_of_the_project_is_explained() -> None:
    import tomllib

    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
    assert project["project"]["optional-dependencies"].keys() <= packages.PURPOSES.keys()
