"""The chains of a response on the mentions of the key: what it would score if it had found them.

Mentions that the key does not have are dropped, mentions that the response does not have become
singletons; chains are as the response has them. This separates mention detection from linking, it
does not replace a run on gold mentions: a system that is given the mentions may link otherwise.
"""

import numpy as np
from msgspec.structs import replace

from corefbench.matching import Alignment, exact
from corefbench.model.corpus import Chains, Corpus, Relations


def on_gold_mentions(key: Corpus, response: Corpus) -> Corpus:
    """The response projected; both have the same documents in the same order."""
    twins = exact.match_linear(key, response)
    twin = Alignment(key=key, response=response, twins=twins).response_of_key()
    _, label = np.unique(response.chains.labels, return_inverse=True)
    found = twin >= 0
    # A label of the response where there is a twin, else one of the mention's own.
    entity = np.arange(len(twin)) + len(response.chains)
    entity[found] = label[response.mentions.chain[twin[found]]]
    code = key.mentions.document * np.int64(len(twin) + len(response.chains) + 1) + entity
    _, first, chain = np.unique(code, return_index=True, return_inverse=True)
    return replace(
        key,
        name=response.name,
        mentions=replace(key.mentions, chain=chain.astype(np.int32)),
        chains=Chains(document=key.mentions.document[first], labels=entity[first]),
        relations=Relations.none(),
    )
