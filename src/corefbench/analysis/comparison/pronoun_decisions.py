"""Which pronouns a response resolved correctly: the decisions that McNemar's test compares.

A decision is a third-person pronoun of English (personal, possessive, reflexive) that the key has
as a mention with an earlier one in its chain. The response is correct if it has the pronoun too,
and the nearest earlier mention of its chain there, its antecedent, is in the pronoun's chain of the
key. A pronoun that the response does not have, or begins a chain with, is wrong.
"""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from corefbench.analysis.statistics.pronoun_counts import find_pronouns, nearest_antecedents
from corefbench.corpus.corpus import Corpus
from corefbench.formats.load import CorpusSource, load
from corefbench.records import Ints, Longs
from corefbench.scoring.api import alignments
from corefbench.scoring.matching import Alignment
from corefbench.scoring.overrides import customise_profile
from corefbench.scoring.profiles import Profile

Decisions: TypeAlias = dict[tuple[str, int], bool]
"""By document and token, whether the pronoun there was resolved correctly."""


def pronoun_decisions(
    key: CorpusSource,
    responses: Mapping[str, CorpusSource],
    profile: str | Profile = "conll-2012",
    *,
    format: str | None = None,
    lenient: bool = False,
    **choices: str | None,
) -> dict[str, Decisions]:
    """Return the decisions of every response; none if the key has no such pronouns or no words.

    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 her (1)\\n#end document\\n"
    >>> pronoun_decisions(text, {"same": text})
    {'same': {('a_0', 1): True}}
    """
    key = load(key, format=format, lenient=lenient)
    if not len(find_pronouns(key.tokens)[0]):
        return {name: {} for name in responses}
    chosen = customise_profile(profile, choices)
    decisions: dict[str, Decisions] = {}
    for name, response in responses.items():
        decisions[name] = {}
        for aligned in alignments(key, response, chosen, format=format, lenient=lenient):
            decisions[name] |= decide_pronouns(aligned)
    return decisions


def decide_pronouns(alignment: Alignment) -> Decisions:
    """Return the decisions on the documents of an alignment."""
    key, response = alignment.key, alignment.response
    anaphors = _find_anaphors(key)
    nearest = nearest_antecedents(response.mentions.chain, response.mentions.start)
    antecedent = _take_or_missing(nearest, alignment.response_of_key()[anaphors])
    key_antecedent = _take_or_missing(alignment.twins.key, antecedent)
    chain = key.mentions.chain
    is_correct = (key_antecedent >= 0) & (_take_or_missing(chain, key_antecedent) == chain[anaphors])
    labels = key.documents.labels()
    documents = key.mentions.document[anaphors].tolist()
    tokens = key.mentions.start[anaphors].tolist()
    return {
        (labels[document], token): is_right
        for document, token, is_right in zip(documents, tokens, is_correct.tolist(), strict=True)
    }


def _find_anaphors(key: Corpus) -> Longs:
    """Return the mentions that are pronouns with an antecedent; of equal spans, the first."""
    mentions = key.mentions
    start = key.tokens.offsets[mentions.document] + mentions.start
    pronoun = (mentions.end - mentions.start == 1) & np.isin(start, find_pronouns(key.tokens)[0])
    anaphors = np.flatnonzero(pronoun & (nearest_antecedents(mentions.chain, mentions.start) >= 0))
    return anaphors[np.unique(start[anaphors], return_index=True)[1]]


def _take_or_missing(values: Ints | Longs, indices: Ints | Longs) -> Longs:
    """Return the values at some indices, and -1 for the index -1."""
    return np.append(values, -1)[indices]
