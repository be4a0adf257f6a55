"""Chains joined by their label over the documents of a scope: the entities of a corpus."""

import numpy as np

from corefbench.model.corpus import Corpus
from corefbench.record import Longs
from corefbench.scope import Scope, group_names


def entity_of_mention(corpus: Corpus, scope: Scope) -> Longs:
    """The number of each mention's chain, chains of one label and one group being one."""
    chain = corpus.mentions.chain.astype(np.int64)
    if scope == "document":
        return chain
    _, group = np.unique(group_names(corpus, scope), return_inverse=True)
    _, label = np.unique(corpus.chains.labels, return_inverse=True)
    code = group[corpus.chains.document] * (len(corpus.chains) + 1) + label
    _, entity = np.unique(code, return_inverse=True)
    return np.asarray(entity, np.int64)[chain]
