"""What a corpus is like: sizes, densities, overlap with training, pronouns and their distances."""

from corefbench.stats.counts import Counts, count
from corefbench.stats.describe import Description, describe
from corefbench.stats.figures import FIGURES, Figure, figures
from corefbench.stats.selection import Selection

__all__ = [
    "FIGURES",
    "Counts",
    "Description",
    "Figure",
    "Selection",
    "count",
    "describe",
    "figures",
]
