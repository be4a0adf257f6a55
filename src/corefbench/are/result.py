"""The scores of one participant in one task, by document and averaged.

macro  the mean of the documents' scores; a document on which neither side says anything is left out
micro  the score of what documents sum up to

The paper does not say which it reports. Where its P and R differ, F is lower than the F of the two,
as means over documents are; and the success rates of its Table 1 are shares, in halves, of no
number of pronouns below 1,000, more than its test cluster can have. So it is ``macro`` unless told
otherwise.
"""

from typing import Literal, TypeAlias

from corefbench.are.overlap import Weighting
from corefbench.are.tasks import Task
from corefbench.findings import Finding
from corefbench.measures.tally import Score, harmonic, ratio
from corefbench.record import Record
from corefbench.version import __version__

Mean: TypeAlias = Literal["macro", "micro"]
MEANS: tuple[Mean, ...] = ("macro", "micro")


class DocumentScore(Record, frozen=True):
    """What was earned in a document, of how much in the key and in the answers.

    >>> DocumentScore(document="d", hits=2.5, key_total=6, response_total=5).score.precision
    0.5
    """

    document: str
    hits: float
    key_total: int
    """Pronouns to resolve, or links of the key's chains …"""
    response_total: int
    """… and pronouns that were attempted, or links of the answered chains."""

    @property
    def score(self) -> Score:
        """Recall, which for task 1 is the success rate, precision and F1; 0/0 is 0."""
        recall = ratio(self.hits, self.key_total)
        precision = ratio(self.hits, self.response_total)
        return Score(recall=recall, precision=precision, f1=harmonic(recall, precision))


class Result(Record, frozen=True):
    """One participant in one task."""

    task: Task
    average: Mean
    weighting: Weighting
    documents: tuple[DocumentScore, ...]
    key: str = ""
    """The key's name and content hash."""
    participant: str = ""
    findings: tuple[Finding, ...] = ()
    version: str = __version__

    @property
    def macro(self) -> Score:
        """The means over documents."""
        one = [d for d in self.documents if d.key_total or d.response_total]
        if self.task.number == 1:
            one = [d for d in one if d.key_total]
        scores = [document.score for document in one]
        return Score(
            recall=ratio(sum(s.recall for s in scores), len(scores)),
            precision=ratio(sum(s.precision for s in scores), len(scores)),
            f1=ratio(sum(s.f1 for s in scores), len(scores)),
        )

    @property
    def micro(self) -> Score:
        """The score of the sums."""
        return DocumentScore(
            document="",
            hits=sum(d.hits for d in self.documents),
            key_total=sum(d.key_total for d in self.documents),
            response_total=sum(d.response_total for d in self.documents),
        ).score

    @property
    def score(self) -> Score:
        """By the average that was chosen."""
        return self.macro if self.average == "macro" else self.micro

    @property
    def success_rate(self) -> float:
        """Task 1: the share of pronouns that were resolved."""
        return self.score.recall

    @property
    def signature(self) -> str:
        """All that the numbers depend on, in one line."""
        fields = {
            "average": self.average,
            **({} if self.task.gives_entities else {"weighting": self.weighting}),
            "key": self.key,
            "version": self.version,
        }
        named = [f"are-{self.task.number}", *([self.participant] if self.participant else [])]
        return "|".join([*named, *(f"{name}:{value}" for name, value in fields.items() if value)])
