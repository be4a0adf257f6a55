"""The bundled corpus: short documents of three genres, in the public domain.

``docs/bundled-corpus.md`` describes the annotation.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.corpus import Corpus
from corefbench.formats.base import Reading
from corefbench.formats.corefud.format import CorefUD
from corefbench.formats.load import load
from corefbench.formats.source import Source

NON_REFERRING = "nonref"
"""The entity type of *it* that refers to nothing."""


def bundled_path() -> Path:
    """Return the path of the file, in CorefUD (CoNLL-U)."""
    return Path(__file__).with_name("corpus.conllu")


class BundledReader(CorefUD):
    """Reads the file of the corpus: CorefUD whose entities of the type ``nonref`` do not refer."""

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """Yield blocks of documents."""
        for block in super().read(source, reading):
            types = np.array(list(block.mentions.columns["etype"]))
            mentions = replace(block.mentions, referring=types != NON_REFERRING)
            yield replace(block, name="bundled", mentions=mentions)


def load_bundled() -> Corpus:
    """Load the corpus.

    CorefUD has no non-referring mentions: in the file they are entities of their own, of the type
    ``nonref``; here they are mentions whose ``referring`` is false, which are not scored.

    >>> load_bundled()
    <Corpus 'bundled': 17 documents, 5805 tokens, 1645 mentions, 657 chains>
    """
    return load("bundled")
