"""No extra needs a package that may only be used under the GPL or AGPL."""

import pytest

from recipes.packaging.audit import Package, extras, find_dependencies


def test_the_extras_are_those_of_the_project_file() -> None:
    assert {"en-accurate", "neural", "campaign", "parquet", "dask"} <= {*extras()}


@pytest.mark.parametrize("extra", ["", *extras()])
def test_no_extra_brings_a_package_under_the_gpl(extra: str) -> None:
    found = find_dependencies(extra)
    assert {"numpy", "scipy", "lxml"} <= found.keys()
    assert [one for one in found.values() if one is not None and one.is_copyleft] == []


def test_what_extras_of_packages_bring_is_followed() -> None:
    assert "psycopg-binary" in find_dependencies("postgresql")
    assert "sqlalchemy" in find_dependencies("postgresql"), "an extra that names another"
    assert "pygments" in find_dependencies(), "rich needs it"


@pytest.mark.parametrize(
    ("licence", "binding"),
    [
        ("GPL-3.0-or-later", True),
        ("GPL-3.0-only", True),
        ("AGPL-3.0", True),
        ("GNU General Public License v3 (GPLv3)", True),
        ("LGPL-2.1", False),
        ("GNU Lesser General Public License v3", False),
        ("MPL-2.0 OR GPL-2.0", False),
        ("MIT", False),
    ],
)
def test_binding_licences_are_told_from_others(licence: str, binding: bool) -> None:
    assert Package(name="x", version="1", licence=licence).is_copyleft is binding
