"""The profiles, by name."""

from corefbench.registry import Registry
from corefbench.scoring.profiles.profile import Choices, Profile
from corefbench.scoring.profiles.published import PROFILES

profiles: Registry[Profile] = Registry(
    "profile",
    built_in={profile.name: profile for profile in PROFILES},
    aliases={
        "conll": "conll-2012",
        "conll2012": "conll-2012",
        "conll-v8": "conll-2012",
        "conll2011": "conll-2011",
        "conll-v4": "conll-2011",
        "semeval": "semeval-2010",
        "coval": "coval-keep",
        "cattan": "cattan-2021",
        "universal-anaphora": "ua",
        "crac": "corefud",
    },
    entry_points="corefbench.profiles",
)

__all__ = ["Choices", "Profile", "profiles"]
