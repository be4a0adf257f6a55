"""What Orăsan et al. 2008 print of a task, to stand beside our own figures."""

from collections.abc import Mapping

from corefbench.experiments.printed import read_printed

_TABLES = {1: "1", 2: "2", 3: "2", 4: "2"}
_COLUMNS = {"Success rate": "recall", "R": "recall", "P": "precision", "F": "f1"}


def printed_scores(task: int) -> dict[str, Mapping[str, float]]:
    """The rows of Tables 1 and 2 by participant, as fractions; ``recall`` of task 1 is the success
    rate.

    >>> sorted(printed_scores(1)), printed_scores(4)["S3"]["f1"]
    (['S1', 'S2', 'baseline'], 0.5802)
    """
    found: dict[str, Mapping[str, float]] = {}
    for row in read_printed("orasan-2008")[_TABLES[task]].rows:
        title, _, name = row.name.partition(": ")
        if title == f"Task {task}":
            found[name] = {
                _COLUMNS[column]: round(value.value / 100, 6)
                for column, value in row.values.items()
            }
    return found
