"""A profile: the named composition of choices that a score was made with. Data, not code."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from corefbench.corpus.scope import Clustering, Scope
from corefbench.records import Record
from corefbench.scoring.policy.repeats import RepeatLimit, Repeats
from corefbench.scoring.policy.singletons import Singletons
from corefbench.scoring.policy.twinless import Twinless

Average: TypeAlias = Literal["micro", "macro"]
Rounding: TypeAlias = Literal["half-up", "truncate"]


class Choices(Record, frozen=True):
    """What is done to mentions and chains before a measure sees them."""

    match: str = "exact"
    singletons: Singletons = "keep"
    repeats: Repeats = "drop"
    twinless: Twinless = "none"
    referring: Literal["only", "all"] = "only"
    zeros: Literal["keep", "drop"] = "keep"


class Profile(Record, frozen=True):
    """How a published scorer scores."""

    name: str
    title: str
    description: str
    measures: Mapping[str, str]
    """What each score is called, and the measure that makes it."""
    choices: Choices = Choices()
    exceptions: Mapping[str, Mapping[str, str]] = {}
    """Scores whose choices differ from the others': by score, then by choice."""
    scope: Scope = "document"
    """The scoring level: what is scored as one."""
    clustering_scope: Clustering = "labels"
    """How far the chains of the response may reach, whatever the scoring level."""
    only: str = ""
    """The documents and mentions that are scored, such as ``kind=event``; empty for all."""
    average: Average = "micro"
    rounding: Rounding = "half-up"
    repeat_limit: RepeatLimit = "none"
    conll: tuple[str, ...] = ("muc", "b_cubed", "ceaf_e")
    """The scores whose F1 the CoNLL average is the mean of; empty where there is none."""
    cites: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    def choices_of(self, score: str) -> Choices:
        """The choices that hold for one score."""
        from msgspec.structs import replace

        changed = self.exceptions.get(score)
        return replace(self.choices, **changed) if changed else self.choices
