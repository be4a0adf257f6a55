"""What a command takes for a corpus: a path or pattern, or a name where no such path is there."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefbench.model.corpus import Corpus


def named(corpus: str) -> "str | Corpus":
    """A path or pattern; else the corpus of that name: ``bundled``, or of the catalogue."""
    from corefbench.formats.patterns import is_pattern

    if corpus == "-" or Path(corpus).exists() or is_pattern(corpus):
        return corpus
    from corefbench.bundled import bundled
    from corefbench.datasets import CATALOGUE, load_dataset

    if corpus == "bundled":
        return bundled()
    return load_dataset(corpus) if corpus.partition("/")[0] in CATALOGUE else corpus
