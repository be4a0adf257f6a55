"""Everything that is counted over a corpus, as one record that adds."""

from collections import Counter

import numpy as np

from corefbench.model.assemble import keep_mentions
from corefbench.model.corpus import Corpus
from corefbench.scope import Scope
from corefbench.stats.additive import Additive
from corefbench.stats.entities import entity_of_mention
from corefbench.stats.inventory import Inventory, inventory
from corefbench.stats.overlaps import Overlaps, overlaps
from corefbench.stats.pronouns import Pronouns, pronouns
from corefbench.stats.vocabulary import LOW_FREQUENCY, Coverage, coverage


class Counts(Additive, frozen=True):
    """The counts of one or more documents; those of several corpora add up."""

    inventory: Inventory = Inventory()
    overlaps: Overlaps = Overlaps()
    pronouns: Pronouns = Pronouns()
    coverage: Coverage = Coverage()


def count(
    corpus: Corpus,
    *,
    scope: Scope = "document",
    known: Counter[str] | None = None,
    low_frequency: int = LOW_FREQUENCY,
) -> Counts:
    """Count a corpus; ``known`` has the words of a training corpus and how often they occur.

    Counts add over documents. With a wider scope they add only over whole groups of it: a chain
    that two pieces share would count in both.

    >>> from corefbench.formats.load import load
    >>> text = b"#begin document (a); part 000\\na 0 0 Ann (1)\\na 0 1 left -\\n#end document\\n"
    >>> (count(load(text)) + count(load(text))).inventory.chain_sizes
    Counter({1: 2})
    """
    referring = corpus.mentions.referring
    apart = 0 if referring is None else int(np.count_nonzero(~referring))
    if referring is not None:
        corpus = keep_mentions(corpus, referring)
    entity = entity_of_mention(corpus, scope)
    return Counts(
        inventory=inventory(corpus, entity, apart),
        overlaps=overlaps(corpus, entity),
        pronouns=pronouns(corpus),
        coverage=Coverage() if known is None else coverage(corpus, known, low_frequency),
    )
