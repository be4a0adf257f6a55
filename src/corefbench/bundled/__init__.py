"""The corpus that comes with corefbench: short documents of three genres, in the public domain.

``docs/bundled-corpus.md`` says what is annotated, and how.
"""

from pathlib import Path

import numpy as np
from msgspec.structs import replace

from corefbench.formats.load import load
from corefbench.model.corpus import Corpus

NON_REFERRING = "nonref"
"""The entity type of *it* that refers to nothing."""


def path() -> Path:
    """The file, in CorefUD (CoNLL-U)."""
    return Path(__file__).with_name("corpus.conllu")


def bundled() -> Corpus:
    """Read the corpus.

    CorefUD has no non-referring mentions: in the file they are entities of their own, of the type
    ``nonref``; here they are mentions whose ``referring`` is false, which scoring leaves out.

    >>> bundled()
    <Corpus 'bundled': 17 documents, 5805 tokens, 1645 mentions, 657 chains>
    """
    corpus = load(path(), format="corefud")
    types = np.array(list(corpus.mentions.columns["etype"]))
    mentions = replace(corpus.mentions, referring=types != NON_REFERRING)
    return replace(corpus, name="bundled", mentions=mentions)
