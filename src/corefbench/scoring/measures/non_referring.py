"""Non-referring markables: expletives, predicates and the like."""

import numpy as np

from corefbench.corpus.combine import keep_mentions
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.spans import count_distinct, last_same_span
from corefbench.scoring.matching.alignment import Alignment
from corefbench.scoring.matching.exact import match
from corefbench.scoring.measures.base import MeasureCard, MentionMeasure
from corefbench.scoring.measures.tally import Tally


class NonReferring(MentionMeasure, frozen=True):
    """How well markables that refer to nothing are told apart, by exact span.

    R = spans non-referring on both sides ÷ those of the key,  P = the same ÷ those of the response

    Spans must be equal whatever the matching rule, as in the Universal Anaphora scorer. Markables
    that refer play no part, and non-referring ones play none in the other measures.
    """

    card = MeasureCard(
        name="non_referring",
        title="Non-referring",
        sentence="The share of the non-referring markables that both sides have.",
        cites=("poesio2018",),
    )

    def tally(self, alignment: Alignment) -> Tally:
        key, response = _non_referring(alignment.key), _non_referring(alignment.response)
        twin = match(key, response).key
        found = np.unique(twin[twin >= 0])
        hits = np.bincount(key.mentions.document[found], minlength=len(key))
        return Tally.of(
            recall_hits=hits,
            recall_total=count_distinct(key, last_same_span(key)),
            precision_hits=hits,
            precision_total=count_distinct(response, last_same_span(response)),
        )


def _non_referring(corpus: Corpus) -> Corpus:
    referring = corpus.mentions.referring
    none = np.zeros(len(corpus.mentions), np.bool_)
    return keep_mentions(corpus, none if referring is None else ~referring)
