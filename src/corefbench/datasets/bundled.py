"""The bundled corpus: short documents of three genres, in the public domain.

``docs/bundled-corpus.md`` describes the annotation.
"""

from pathlib import Path

import numpy as np
from msgspec.structs import replace

from corefbench.corpus.corpus import Corpus
from corefbench.formats.load import load

NON_REFERRING = "nonref"
"""The entity type of *it* that refers to nothing."""


def bundled_path() -> Path:
    """Return the path of the file, in CorefUD (CoNLL-U)."""
    return Path(__file__).with_name("corpus.conllu")


def load_bundled() -> Corpus:
    """Load the corpus.

    CorefUD has no non-referring mentions: in the file they are entities of their own, of the type
    ``nonref``; here they are mentions whose ``referring`` is false, which are not scored.

    >>> load_bundled()
    <Corpus 'bundled': 17 documents, 5805 tokens, 1645 mentions, 657 chains>
    """
    corpus = load(bundled_path(), format="corefud")
    types = np.array(list(corpus.mentions.columns["etype"]))
    mentions = replace(corpus.mentions, referring=types != NON_REFERRING)
    return replace(corpus, name="bundled", mentions=mentions)
