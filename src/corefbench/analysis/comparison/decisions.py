"""Which pronouns a response resolved rightly: the decisions that McNemar's test compares.

A decision is a third-person pronoun of English (personal, possessive, reflexive) that the key has
as a mention with an earlier one in its chain. The response is right if it has the pronoun too, and
the nearest earlier mention of its chain there, its antecedent, is in the pronoun's chain of the
key. What the response leaves alone, or begins a chain with, is wrong.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import numpy as np

from corefbench.bench.result import Performance
from corefbench.formats.load import load
from corefbench.matching import Alignment
from corefbench.model.corpus import Corpus
from corefbench.profiles import Profile
from corefbench.record import Ints, Longs
from corefbench.scoring.aligned import alignments
from corefbench.scoring.choosing import customised
from corefbench.stats.pronouns import find_pronouns

Decisions: TypeAlias = dict[tuple[str, int], bool]
"""By document and token, whether the pronoun there was resolved rightly."""
Where: TypeAlias = str | Path | bytes | Corpus


def pronoun_decisions(
    key: Where,
    responses: Mapping[str, Where],
    profile: str | Profile = "conll-2012",
    *,
    format: str | None = None,
    lenient: bool = False,
    **choices: str | None,
) -> dict[str, Decisions]:
    """The decisions of every response; none where the key has no such pronouns or no words.

    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 her (1)\\n#end document\\n"
    >>> pronoun_decisions(text, {"same": text})
    {'same': {('a_0', 1): True}}
    """
    if not isinstance(key, Corpus):
        key = load(key, format=format, lenient=lenient)
    if not len(find_pronouns(key.tokens)[0]):
        return {name: {} for name in responses}
    chosen = customised(profile, choices)
    made: dict[str, Decisions] = {}
    for name, response in responses.items():
        made[name] = {}
        for aligned in alignments(key, response, chosen, format=format, lenient=lenient):
            made[name] |= decided(aligned)
    return made


def decided(alignment: Alignment) -> Decisions:
    """The decisions on the documents of an alignment."""
    key, response = alignment.key, alignment.response
    anaphors = _anaphors(key)
    antecedent = _at(_antecedents(response), alignment.response_of_key()[anaphors])
    known = _at(alignment.twins.key, antecedent)
    chain = key.mentions.chain
    right = (known >= 0) & (_at(chain, known) == chain[anaphors])
    labels = key.documents.labels()
    documents = key.mentions.document[anaphors].tolist()
    tokens = key.mentions.start[anaphors].tolist()
    return {
        (labels[document], token): good
        for document, token, good in zip(documents, tokens, right.tolist(), strict=True)
    }


def performed(performance: Performance) -> Decisions:
    """The decisions of a resolver of a bench run, on the gold anaphors."""
    return {(v.document, v.token): v.correct for v in performance.verdicts if v.anaphoric}


def _anaphors(key: Corpus) -> Longs:
    """The mentions that are pronouns with an antecedent; of those that share a span, the first."""
    mentions = key.mentions
    start = key.tokens.offsets[mentions.document] + mentions.start
    pronoun = (mentions.end - mentions.start == 1) & np.isin(start, find_pronouns(key.tokens)[0])
    found = np.flatnonzero(pronoun & (_antecedents(key) >= 0))
    return found[np.unique(start[found], return_index=True)[1]]


def _antecedents(corpus: Corpus) -> Longs:
    """For every mention the nearest of its chain that begins earlier, -1 where none does."""
    mentions = corpus.mentions
    if not len(mentions):
        return np.zeros(0, np.int64)
    width = int(mentions.end.max()) + 1
    code = mentions.chain * np.int64(width) + mentions.start
    order = np.argsort(code, kind="stable")
    before = np.searchsorted(code[order], code) - 1
    found = order[before]
    return np.where((before >= 0) & (mentions.chain[found] == mentions.chain), found, -1)


def _at(values: Ints | Longs, places: Ints | Longs) -> Longs:
    """The values at some places; -1 where the place is -1."""
    return np.append(values, -1)[places]
