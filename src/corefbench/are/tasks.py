"""The four tasks: what each is called, what it gives and what it asks for."""

from collections.abc import Mapping

from corefbench.errors import UsageError
from corefbench.record import Record


class Task(Record, frozen=True):
    """One task of the exercise."""

    number: int
    title: str
    gives_entities: bool
    """Whether the entities are given; else the text is raw, its words numbered."""
    asks_chains: bool
    """Whether whole chains are asked for; else an antecedent for every pronoun."""


TASKS: Mapping[int, Task] = {
    1: Task(
        number=1, title="pronouns among given entities", gives_entities=True, asks_chains=False
    ),
    2: Task(number=2, title="chains of given entities", gives_entities=True, asks_chains=True),
    3: Task(number=3, title="pronouns in raw text", gives_entities=False, asks_chains=False),
    4: Task(number=4, title="chains in raw text", gives_entities=False, asks_chains=True),
}


def task_of(number: int) -> Task:
    """The task of that number.

    >>> task_of(4).title
    'chains in raw text'
    """
    if number not in TASKS:
        raise UsageError("there is no such task", found=str(number), expected="1, 2, 3 or 4")
    return TASKS[number]
