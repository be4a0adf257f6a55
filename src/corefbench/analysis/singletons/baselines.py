"""The two baselines of Recasens et al. 2010 that Kübler & Zhekova 2011 print as Table 1."""

from typing import Literal, TypeAlias

import numpy as np
from msgspec.structs import replace

from corefbench.model.corpus import Chains, Corpus, Relations

Baseline: TypeAlias = Literal["singletons", "all-in-one"]
BASELINES: tuple[Baseline, ...] = ("singletons", "all-in-one")


def baseline(key: Corpus, name: Baseline) -> Corpus:
    """The mentions of the key, each alone in its chain, or all in one chain.

    >>> from corefbench.formats.load import load
    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 her (1)\\n#end document\\n"
    >>> baseline(load(text), "singletons")
    <Corpus 'singletons': 1 documents, 2 tokens, 2 mentions, 2 chains>
    """
    alone = name == "singletons"
    document = key.mentions.document if alone else np.arange(len(key), dtype=np.int32)
    chain = np.arange(len(key.mentions), dtype=np.int32) if alone else key.mentions.document
    labels = np.arange(len(document)) if alone else np.zeros(len(document), np.int64)
    return replace(
        key,
        name=name,
        mentions=replace(key.mentions, chain=chain),
        chains=Chains(document=document, labels=labels),
        relations=Relations.none(),
    )
