"""How a check or a scoring of answers ends."""

from typing import TypeAlias

from corefbench.campaign.domain.evaluation import Evaluation
from corefbench.findings import Finding
from corefbench.record import Record


class Valid(Record, frozen=True, tag="valid"):
    """The answers can be read; findings are remarks."""

    findings: tuple[Finding, ...] = ()


class Scored(Record, frozen=True, tag="scored"):
    """The answers have scores."""

    evaluation: Evaluation


class Invalid(Record, frozen=True, tag="invalid"):
    """The answers cannot be scored: the participant's to mend."""

    findings: tuple[Finding, ...]

    @property
    def message(self) -> str:
        """The errors, a line each, remarks left out."""
        errors = [str(finding) for finding in self.findings if finding.severity == "error"]
        return "\n".join(errors or map(str, self.findings))


class Failed(Record, frozen=True, tag="failed"):
    """The platform could not do it: nobody is charged."""

    reason: str


Outcome: TypeAlias = Valid | Scored | Invalid | Failed
