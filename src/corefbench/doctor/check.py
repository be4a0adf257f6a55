"""What is said of one thing that may be installed."""

from typing import Literal, TypeAlias

from corefbench.record import Record

State: TypeAlias = Literal["present", "missing", "broken"]


class Check(Record, frozen=True):
    """One thing, and whether it can be used."""

    name: str
    state: State
    version: str = ""
    purpose: str = ""
    found: str = ""
    """Where it is, or what is wrong with it."""
    remedy: str = ""


class Examination(Record, frozen=True):
    """The installation, part by part."""

    version: str
    place: str
    """Where corefbench is installed."""
    editable: bool
    python: str
    executable: str
    platform: str
    required: tuple[Check, ...]
    extras: tuple[Check, ...]
    models: tuple[Check, ...]
    data: tuple[Check, ...]
    cache: tuple[Check, ...]
    plugins: tuple[Check, ...]
    programs: tuple[Check, ...]

    def checks(self) -> tuple[Check, ...]:
        """All of them."""
        parts = (self.required, self.extras, self.models, self.data)
        return tuple(
            one for part in (*parts, self.cache, self.plugins, self.programs) for one in part
        )

    @property
    def broken(self) -> tuple[Check, ...]:
        """What is installed and cannot be used, and what is required and missing."""
        missing = tuple(one for one in self.required if one.state == "missing")
        return (*missing, *(one for one in self.checks() if one.state == "broken"))
