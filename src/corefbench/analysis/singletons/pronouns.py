"""Which mentions are pronouns that ought to have an antecedent.

Kübler & Zhekova 2011, section 6: personal, reflexive, demonstrative and possessive pronouns, of any
person; relative and indefinite ones are left out. Forms are those of English; a form that the table
does not have counts where the corpus tags it as a pronoun (``upos`` is ``PRON``).
"""

import numpy as np

from corefbench.language.pronouns import lookup
from corefbench.model.corpus import Corpus
from corefbench.record import Flags

KINDS = frozenset({"personal", "possessive", "reflexive", "demonstrative"})


def is_pronoun(corpus: Corpus) -> Flags:
    """For every mention whether it is such a pronoun; none is where there are no words."""
    found = np.zeros(len(corpus.mentions), np.bool_)
    words, columns = corpus.tokens.words, corpus.tokens.columns
    if words is None:
        return found
    mentions = corpus.mentions
    single = np.flatnonzero(mentions.end - mentions.start == 1)
    token = (corpus.tokens.offsets[mentions.document] + mentions.start)[single]
    tags = columns.get("xpos") or columns.get("pos")
    parts = columns.get("upos")
    known: dict[tuple[str, str, str], bool] = {}
    none = [""] * len(single)
    rows = zip(
        words.take(token),
        tags.take(token) if tags else none,
        parts.take(token) if parts else none,
        strict=True,
    )
    for mention, row in zip(single.tolist(), rows, strict=True):
        if row not in known:
            known[row] = _counts(*row)
        found[mention] = known[row]
    return found


def _counts(word: str, tag: str, part: str) -> bool:
    row = lookup(word, tag)
    if row is not None:
        return row.kind in KINDS
    # *that* as a conjunction and *US* as a name are in the table too, but no pronouns here.
    return part == "PRON" and lookup(word) is None
