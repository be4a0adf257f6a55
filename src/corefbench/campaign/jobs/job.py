"""What a child process is asked to do."""

from typing import Literal

import msgspec

from corefbench.campaign.domain.definition import Data, Task
from corefbench.campaign.domain.outcome import Outcome
from corefbench.campaign.jobs.budget import Budget
from corefbench.campaign.jobs.limits import SCORING, Limits
from corefbench.record import Record


class Job(Record, frozen=True):
    """Check answers, or score them."""

    kind: Literal["check", "score"]
    path: str
    """The upload …"""
    file_name: str
    """… and what its sender called it."""
    task: Task
    data: Data
    folder: str
    """Of the campaign: the paths of ``data`` are inside it."""
    public: float = 1.0
    blind: bool = True
    budget: Budget = Budget()
    limits: Limits = SCORING


to_job = msgspec.json.Decoder(Job)
to_outcome: msgspec.json.Decoder[Outcome] = msgspec.json.Decoder(Outcome)
