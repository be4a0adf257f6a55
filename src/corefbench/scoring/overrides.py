"""Override single choices of a profile."""

import re
from collections.abc import Mapping
from typing import TypeVar, get_args

import msgspec
from msgspec.structs import replace

from corefbench.corpus.selection import join_selections
from corefbench.errors import UnknownName, UsageError
from corefbench.records import Record
from corefbench.scoring.matching import matchings
from corefbench.scoring.measures import parse
from corefbench.scoring.profiles import Choices, Profile, profiles

_SEPARATOR = re.compile(r"[,+](?![^()]*\))")
"""A comma or, as in signatures, a plus sign; inside parentheses they belong to a parameter."""
_CHOICES = Choices.__struct_fields__
_SETTINGS = ("scope", "clustering_scope", "only", "average", "repeat_limit")


def customise_profile(profile: str | Profile, settings: Mapping[str, str | None]) -> Profile:
    """Return the profile with some of its choices replaced; None leaves a choice as it is."""
    base = profiles[profile] if isinstance(profile, str) else profile
    changed = {name: value for name, value in settings.items() if value is not None}
    unknown = changed.keys() - {*_CHOICES, *_SETTINGS, "measures"}
    if unknown:
        raise UsageError(f"there is no choice named {', '.join(sorted(unknown))}")
    if "match" in changed:
        changed["match"] = matchings.canonical(changed["match"])
    if changed.get("singletons") == "drop":  # what other scorers call it
        changed["singletons"] = "strip"
    if "only" in changed:
        changed["only"] = join_selections([changed["only"]]) or ""
    # A choice that the profile makes anyway is no change: read back from a signature, it must not
    # undo the exceptions of the profile.
    own = msgspec.structs.asdict(base.choices)
    choices = {name: changed[name] for name in own if changed.get(name, own[name]) != own[name]}
    customised = replace(
        base,
        choices=_with_fields(base.choices, choices),
        exceptions={
            score: {name: value for name, value in exceptions.items() if name not in choices}
            for score, exceptions in base.exceptions.items()
        },
    )
    if "measures" in changed:
        measures = _select_measures(customised, changed["measures"])
        customised = replace(customised, measures=measures)
    return _with_fields(customised, {name: changed[name] for name in _SETTINGS if name in changed})


def _select_measures(profile: Profile, wanted: str) -> dict[str, str]:
    """Return the measures asked for, with the parameters that the profile gives them."""
    selected = {}
    for text in filter(None, map(str.strip, _SEPARATOR.split(wanted))):
        name = str(parse(text))
        selected[name] = profile.measures.get(name, name)
    return selected


R = TypeVar("R", bound=Record)


def _with_fields(record: R, changes: Mapping[str, str]) -> R:
    """Return the record with some fields changed; raise if a value is not one of those allowed."""
    for field in msgspec.structs.fields(record):
        known = get_args(field.type)
        if field.name in changes and known and changes[field.name] not in known:
            kind = f"choice of {field.name.replace('_', ' ')}"
            raise UnknownName(kind, changes[field.name], list(known))
    return replace(record, **changes)


def describe_choices(profile: Profile) -> dict[str, str]:
    """Return the choices as a signature prints them.

    Measures are included if they are not those of the profile, the clustering scope if it is not
    left to the labels, a selection if there is one.
    """
    described = {name: str(getattr(profile.choices, name)) for name in _CHOICES}
    described |= {name: str(getattr(profile, name)) for name in _SETTINGS}
    if profile.clustering_scope == "labels":
        del described["clustering_scope"]
    if not profile.only:
        del described["only"]
    own = profiles[profile.name].measures if profile.name in profiles else None
    if profile.measures != own:
        described["measures"] = "+".join(profile.measures)
    return described
