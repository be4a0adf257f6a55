"""Bridging: anaphors whose antecedent is another entity ("the house … the door")."""

from collections.abc import Iterator
from typing import Literal

import numpy as np

from corefbench.corpus.corpus import Corpus
from corefbench.corpus.spans import last_same_span
from corefbench.records import Columns, Longs
from corefbench.scoring.matching.alignment import Alignment
from corefbench.scoring.matching.exact import match
from corefbench.scoring.measures.base import MeasureCard, MentionMeasure
from corefbench.scoring.measures.tally import Tally


class Bridging(MentionMeasure, frozen=True):
    """How many bridging anaphors are found, and how many with the right antecedent.

    R = anaphors right ÷ anaphors of the key,  P = anaphors right ÷ anaphors of the response

    * ``level=anaphor``: right where the span is a bridging anaphor on both sides;
    * ``level=mention``: … and the spans of the antecedents are equal;
    * ``level=entity``: … or the response's antecedent stands in the key entity of the key's.

    Spans must be equal whatever the matching rule, and an anaphor has one antecedent, the last one
    given, as in the Universal Anaphora scorer. Where a format names only the chain of the
    antecedent, its last mention before the anaphor stands for it, or else its first.
    """

    card = MeasureCard(
        name="bridging",
        title="Bridging",
        sentence="The share of the bridging anaphors found with the right antecedent.",
        cites=("poesio2018", "hou2018"),
    )
    level: Literal["anaphor", "mention", "entity"] = "entity"

    def tally(self, alignment: Alignment) -> Tally:
        spans = _Spans.of(alignment)
        key, response = spans.pairs_of_key(), spans.pairs_of_response()
        right = np.zeros((len(alignment.key), 3))
        for side, pairs in ((1, key), (2, response)):
            for document, _ in pairs:
                right[document, side] += 1
        for anaphor in key.keys() & response.keys():
            right[anaphor[0], 0] += self._agree(key[anaphor], response[anaphor], spans)
        hits = right[:, 0]
        return Tally.of(recall_hits=hits, recall_total=right[:, 1], precision_hits=hits, precision_total=right[:, 2])

    def _agree(self, key: int, response: int, spans: "_Spans") -> bool:
        if self.level == "anaphor" or key == response:
            return True
        return self.level == "entity" and 0 <= spans.entity(key) == spans.entity(response)


class _Spans(Columns, frozen=True, eq=False):
    """The mentions of both sides, numbered so that equal spans have one number."""

    key: Corpus
    response: Corpus
    of_key: Longs
    of_response: Longs

    @classmethod
    def of(cls, alignment: Alignment) -> "_Spans":
        key, response = alignment.key, alignment.response
        of_key, own = _numbers(key), len(key.mentions) + _numbers(response)
        twin = match(key, response).key
        of_response = np.where(twin >= 0, np.append(of_key, -1)[twin], own)
        return cls(key=key, response=response, of_key=of_key, of_response=of_response)

    def pairs_of_key(self) -> dict[tuple[int, int], int]:
        """Antecedent spans by document and anaphor span."""
        return _pairs(self.key, self.of_key)

    def pairs_of_response(self) -> dict[tuple[int, int], int]:
        return _pairs(self.response, self.of_response)

    def entity(self, span: int) -> int:
        """The key chain of a span; -1 where the key has no such span, or it does not refer."""
        mentions = self.key.mentions
        if span >= len(mentions):
            return -1
        if mentions.referring is not None and not mentions.referring[span]:
            return -1
        return int(mentions.chain[span])


def _numbers(corpus: Corpus) -> Longs:
    same = last_same_span(corpus)
    return np.arange(len(corpus.mentions)) if same is None else same.astype(np.int64)


def _pairs(corpus: Corpus, spans: Longs) -> dict[tuple[int, int], int]:
    document = corpus.mentions.document
    return {
        (int(document[anaphor]), int(spans[anaphor])): int(spans[antecedent])
        for anaphor, antecedent in _relations(corpus)
    }


def _relations(corpus: Corpus) -> Iterator[tuple[int, int]]:
    """Anaphor and antecedent mention of every relation that has both."""
    relations, chain = corpus.relations, corpus.mentions.chain
    by_chain = np.argsort(chain, kind="stable")
    edges = np.searchsorted(chain[by_chain], np.arange(len(corpus.chains) + 1))
    for anaphor, mention, entity in zip(
        relations.bridging_anaphor.tolist(),
        relations.bridging_mention.tolist(),
        relations.bridging_chain.tolist(),
        strict=True,
    ):
        antecedent = mention
        if antecedent < 0 and entity >= 0:
            members = by_chain[edges[entity] : edges[entity + 1]]
            if len(members):
                antecedent = int(members[max(np.searchsorted(members, anaphor) - 1, 0)])
        if anaphor >= 0 and antecedent >= 0:
            yield anaphor, antecedent
