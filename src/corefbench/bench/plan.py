"""The settings of a comparison of resolvers."""

from typing import Literal, TypeAlias

from corefbench.bench.key import MATCHES, Match
from corefbench.errors import UsageError
from corefbench.records import Record

Mode: TypeAlias = Literal["automatic", "annotated"]
MODES: tuple[Mode, ...] = ("automatic", "annotated")

PRONOUN_RESOLVERS = (
    "kennedy-boguraev",
    "lappin-leass",
    "cogniac",
    "cogniac-robust",
    "mitkov",
    "mars",
    "hobbs",
    "sieve",
    "most-recent",
    "most-recent-subject",
    "random",
)
"""The default resolvers."""


class Plan(Record, frozen=True):
    """The settings of a comparison.

    ``automatic`` is raw text: the pipeline finds tokens, sentences, syntax and noun phrases.
    ``annotated`` takes tokens, sentences and mentions from the key, and syntax where it has any.
    """

    resolvers: tuple[str, ...] = PRONOUN_RESOLVERS
    mode: Mode = "automatic"
    preprocess: str = ""
    """The pre-processor; empty for the built-in pipeline, or in annotated mode for the corpus's own
    annotation."""
    mentions: Literal["", "predicted", "gold"] = ""
    """The source of noun phrases; empty for the default of the mode: what the pipeline finds or, in
    annotated mode, the mentions of the key and the noun phrases that the corpus marks outside chains."""
    match: Match = "head"
    cataphora: bool = False
    profile: str = "conll-2012"
    """The profile of the coreference scores."""
    cache: bool = True
    """Whether analyses are cached on disk; no number depends on it."""

    @property
    def takes_mentions(self) -> bool:
        """Whether noun phrases are the mentions of the key."""
        return (self.mentions or ("gold" if self.mode == "annotated" else "predicted")) == "gold"

    def check(self) -> None:
        """Raise if a setting is invalid."""
        for name, value, known in (
            ("mode", self.mode, MODES),
            ("match", self.match, MATCHES),
            ("mentions", self.mentions, ("", "predicted", "gold")),
        ):
            if value not in known:
                raise UsageError(f"there is no {name} {value!r}", expected=", ".join(filter(None, known)))
        if not self.resolvers:
            raise UsageError("there is nothing to compare", expected="at least one resolver")
