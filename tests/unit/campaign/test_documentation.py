"""The page on campaigns knows every field of the definition and every command."""

from pathlib import Path

import msgspec
import pytest

from corefbench.campaign.domain.config import Campaign, Data, Phase, Quota, Task
from corefbench.cli.campaign import app

PAGE = (Path(__file__).parents[3] / "docs" / "campaign.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("record", [Campaign, Task, Phase, Data])
def test_every_field_of_the_definition_is_explained(record: type) -> None:
    names = [field.name for field in msgspec.structs.fields(record)]
    assert not [name for name in names if f"`{name}`" not in PAGE]


def test_both_quotas_are_explained() -> None:
    assert not [field.name for field in msgspec.structs.fields(Quota) if field.name not in PAGE]


def test_every_command_is_shown() -> None:
    names = [command.name for command in app.registered_commands if command.name]
    assert len(names) == 14
    assert not [name for name in names if f"corefbench campaign {name}" not in PAGE]
