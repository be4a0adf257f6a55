"""Choosing how to score: a profile, and single choices made differently."""

from collections.abc import Mapping
from typing import TypeVar, get_args

import msgspec
from msgspec.structs import replace

from corefbench.errors import UnknownName, UsageError
from corefbench.matching import matchings
from corefbench.measures import parse
from corefbench.profiles import Choices, Profile, profiles
from corefbench.record import Record

_CHOICES = Choices.__struct_fields__
_SETTINGS = ("scope", "clustering_scope", "average", "repeat_limit")


def customised(profile: str | Profile, settings: Mapping[str, str | None]) -> Profile:
    """The profile with some of its choices made differently; None leaves a choice as it is."""
    base = profiles[profile] if isinstance(profile, str) else profile
    changed = {name: value for name, value in settings.items() if value is not None}
    unknown = changed.keys() - {*_CHOICES, *_SETTINGS, "measures"}
    if unknown:
        raise UsageError(f"there is no choice named {', '.join(sorted(unknown))}")
    if "match" in changed:
        changed["match"] = matchings.canonical(changed["match"])
    # What the profile has anyway is no change: read back from a signature, it must not undo the
    # exceptions of the profile.
    own = msgspec.structs.asdict(base.choices)
    choices = {name: changed[name] for name in own if changed.get(name, own[name]) != own[name]}
    made = replace(
        base,
        choices=_converted(base.choices, choices),
        exceptions={
            score: {name: value for name, value in some.items() if name not in choices}
            for score, some in base.exceptions.items()
        },
    )
    if "measures" in changed:
        made = replace(made, measures=_measures(made, changed["measures"]))
    return _converted(made, {n: changed[n] for n in _SETTINGS if n in changed})


def _measures(profile: Profile, wanted: str) -> dict[str, str]:
    """The scores asked for: those of the profile by their name there, others by their own."""
    made = {}
    for text in filter(None, (piece.strip() for piece in _split(wanted))):
        measure = parse(text)
        name = str(measure)
        made[name] = profile.measures.get(name, name)
    return made


def _split(text: str) -> list[str]:
    """Split at commas and plus signs outside parentheses."""
    pieces, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character in ",+" and not depth:
            pieces.append("")
        else:
            pieces[-1] += character
    return pieces


R = TypeVar("R", bound=Record)


def _converted(record: R, changes: Mapping[str, str]) -> R:
    """The record with some fields changed, each to one of the values it may have."""
    for field in msgspec.structs.fields(record):
        known = get_args(field.type)
        if field.name in changes and known and changes[field.name] not in known:
            kind = f"choice of {field.name.replace('_', ' ')}"
            raise UnknownName(kind, changes[field.name], list(known))
    return replace(record, **changes)


def described(profile: Profile) -> dict[str, str]:
    """The choices as the signature prints them; measures where they are not the profile's own,
    the clustering scope where it is not left to the labels."""
    made = {name: str(getattr(profile.choices, name)) for name in _CHOICES}
    made |= {name: str(getattr(profile, name)) for name in _SETTINGS}
    if profile.clustering_scope == "labels":
        del made["clustering_scope"]
    own = profiles[profile.name].measures if profile.name in profiles else None
    if profile.measures != own:
        made["measures"] = "+".join(profile.measures)
    return made
