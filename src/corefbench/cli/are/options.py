"""Arguments and options that the commands of the exercise share, worded once."""

from typing import Annotated, TypeAlias

import typer

from corefbench.cli.options import HOW

Task: TypeAlias = Annotated[
    int,
    typer.Argument(
        min=1,
        max=4,
        metavar="TASK",
        help="1: pronouns, 2: chains, entities given; 3: pronouns, 4: chains, raw text.",
    ),
]
Average: TypeAlias = Annotated[
    str,
    typer.Option(
        help="macro: the mean of the documents' scores. micro: the score of their sums.",
        rich_help_panel=HOW,
    ),
]
Weighting: TypeAlias = Annotated[
    str,
    typer.Option(
        help="Tasks 3 and 4: overlaps count by their mean or min, or whole from a threshold of ½.",
        rich_help_panel=HOW,
    ),
]
