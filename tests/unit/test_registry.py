import pytest

from corefbench.errors import UnknownName
from corefbench.registry import Registry


def numbers() -> Registry[int]:
    return Registry("number", built_in={"twenty_one": 21, "one": 1}, aliases={"uno": "one"})


@pytest.mark.parametrize("name", ["twenty_one", "Twenty-One", " TWENTY_ONE ", "twenty-one"])
def test_case_blanks_dashes_and_underscores_do_not_matter(name: str) -> None:
    assert numbers()[name] == 21


def test_an_alias_has_a_name_proper() -> None:
    assert numbers().canonical("uno") == "one"
    assert numbers().aliases_of("one") == ("uno",)


def test_targets_are_loaded_when_they_are_used() -> None:
    lazy: Registry[object] = Registry("thing", built_in={"loads": "json:loads", "no": "nowhere:x"})
    import json

    assert lazy["loads"] is json.loads
    assert "no" in lazy
    with pytest.raises(ModuleNotFoundError):
        lazy["no"]


def test_an_unknown_name_is_answered_with_near_ones() -> None:
    with pytest.raises(UnknownName, match="did you mean twenty_one") as error:
        numbers()["twentyone"]
    assert error.value.code == "CB003"
    assert error.value.exit_code == 2


def test_where_nothing_is_near_all_names_are_given() -> None:
    with pytest.raises(UnknownName, match="known: one, twenty_one, uno"):
        numbers()["zzz"]


def test_entries_can_be_added_at_run_time() -> None:
    registry = numbers()
    registry.register("two", aliases=("due",))(2)
    assert registry["due"] == 2
    assert "two" in list(registry)
    assert "three" not in registry


def test_a_name_with_capitals_is_found_in_any_case() -> None:
    shapes: Registry[int] = Registry("shape", built_in={})
    shapes.register("BigBox", aliases=("Crate",))(1)
    assert (shapes["BigBox"], shapes["bigbox"], shapes["Crate"], shapes["crate"]) == (1, 1, 1, 1)
