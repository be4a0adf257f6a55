"""The tasks, the scores of a participant, and the scores that the paper prints."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from corefbench.diagnostics import Finding
from corefbench.errors import UsageError
from corefbench.papers.printed import read_printed
from corefbench.records import Record
from corefbench.scoring.measures.tally import Score, harmonic, mean_score, ratio
from corefbench.tasks.are.overlap import Weighting
from corefbench.version import __version__

Average: TypeAlias = Literal["macro", "micro"]
AVERAGES: tuple[Average, ...] = ("macro", "micro")
_PRINTED_TABLES = {1: "1", 2: "2", 3: "2", 4: "2"}
_PRINTED_COLUMNS = {"Success rate": "recall", "R": "recall", "P": "precision", "F": "f1"}


class Task(Record, frozen=True):
    """One task of the exercise."""

    number: int
    title: str
    gives_entities: bool
    """Whether the entities are given; otherwise the input is raw text with numbered words."""
    asks_chains: bool
    """Whether it asks for whole chains; otherwise for an antecedent of every pronoun."""


TASKS: Mapping[int, Task] = {
    1: Task(number=1, title="pronouns among given entities", gives_entities=True, asks_chains=False),
    2: Task(number=2, title="chains of given entities", gives_entities=True, asks_chains=True),
    3: Task(number=3, title="pronouns in raw text", gives_entities=False, asks_chains=False),
    4: Task(number=4, title="chains in raw text", gives_entities=False, asks_chains=True),
}


def find_task(number: int) -> Task:
    """Return the task of a number.

    >>> find_task(4).title
    'chains in raw text'
    """
    if number not in TASKS:
        raise UsageError("there is no such task", found=str(number), expected="1, 2, 3 or 4")
    return TASKS[number]


class DocumentScore(Record, frozen=True):
    """The credit in a document, and the totals of the key and the answers.

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


class TaskResult(Record, frozen=True):
    """The scores of one participant in one task.

    macro  the mean of the documents' scores, without documents on which neither side has anything
    micro  the score of the sums over documents

    The paper does not say which it reports. Where its P and R differ, F is lower than the F of the
    two, as it is for means over documents; and the success rates of its Table 1 are fractions, in
    halves, of no number of pronouns below 1,000, more than its test cluster can have. So ``macro``
    is the default.
    """

    task: Task
    average: Average
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
        counted = [d for d in self.documents if d.key_total or d.response_total]
        if self.task.number == 1:
            counted = [d for d in counted if d.key_total]
        return mean_score([document.score for document in counted])

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
        """The score by the chosen average."""
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


def printed_scores(task: int) -> dict[str, Mapping[str, float]]:
    """Return the printed scores of Tables 1 and 2 by participant, as fractions.

    The ``recall`` of task 1 is the success rate.

    >>> sorted(printed_scores(1)), printed_scores(4)["S3"]["f1"]
    (['S1', 'S2', 'baseline'], 0.5802)
    """
    scores: dict[str, Mapping[str, float]] = {}
    for row in read_printed("orasan-2008")[_PRINTED_TABLES[task]].rows:
        title, _, name = row.name.partition(": ")
        if title == f"Task {task}":
            scores[name] = {
                _PRINTED_COLUMNS[column]: round(value.value / 100, 6) for column, value in row.values.items()
            }
    return scores
