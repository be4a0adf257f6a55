"""Singletons: chains of one mention, kept or stripped before the mentions are matched."""

from typing import Literal, TypeAlias

from corefbench.corpus.combine import keep_mentions
from corefbench.corpus.corpus import Corpus

Singletons: TypeAlias = Literal["keep", "strip", "strip-response", "strip-key"]


def without_singletons(corpus: Corpus) -> Corpus:
    """The corpus without the mentions of chains of size 1."""
    return keep_mentions(corpus, corpus.chain_sizes()[corpus.mentions.chain] > 1)


def apply_singletons(key: Corpus, response: Corpus, singletons: Singletons) -> tuple[Corpus, Corpus]:
    """Key and response after the choice.

    ``strip`` is what CorefUD, coval's ``remove_singletons`` and Cattan et al. 2021 do;
    ``strip-response`` is what the CEAFe of many Python resolvers does, by oversight.
    """
    if singletons in ("strip", "strip-key"):
        key = without_singletons(key)
    if singletons in ("strip", "strip-response"):
        response = without_singletons(response)
    return key, response
