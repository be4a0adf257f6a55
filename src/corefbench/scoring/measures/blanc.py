"""BLANC: coreference links and non-coreference links, each half of the score."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from corefbench.records import Floats
from corefbench.scoring.measures.base import ChainMeasure, MeasureCard
from corefbench.scoring.measures.contingency import Contingency, pairs
from corefbench.scoring.measures.tally import Score, Scores, Tally, harmonic, harmonics, ratio, ratios


class BLANC(ChainMeasure, frozen=True):
    """BLANC: the mean of the scores for links and for the absence of links.

    R = ½ (|Cₖ∩Cᵣ| / |Cₖ| + |Nₖ∩Nᵣ| / |Nₖ|), P likewise, F = ½ (Fc + Fn)      (Luo et al. 2014)

    C are the pairs of mentions inside a chain, N all other pairs of a document; both are counted,
    never listed. Which half is left out when its links do not occur:

    * ``edge=key``: the half that the key does not have, as in the reference scorer;
    * ``edge=both``: the half that neither side has, as in the text of Luo et al. 2014.

    ``links=sets`` takes the links of each side (reference scorer v8); ``links=response`` looks at
    pairs of response mentions only (scorers v1.04 and v1.05), where a mention unknown to the key
    counts as one of the key's first chain, as those programs do.
    """

    card = MeasureCard(
        name="blanc",
        title="BLANC",
        sentence="The mean of the scores for coreference and non-coreference links.",
        cites=("recasens2011", "luo2014"),
    )
    edge: Literal["key", "both"] = "key"
    links: Literal["sets", "response"] = "sets"

    def tally(self, table: Contingency) -> Tally:
        return _link_sets(table) if self.links == "sets" else _response_pairs(table)

    def score(self, total: dict[str, float]) -> Score:
        coreferent = _half(total, "coreferent")
        separate = _half(total, "separate")
        has_coreferent = bool(total["key_coreferent"])
        has_separate = bool(total["key_separate"])
        if self.edge == "both":
            has_coreferent |= bool(total["response_coreferent"])
            has_separate |= bool(total["response_separate"])
        halves = [h for h, has in ((coreferent, has_coreferent), (separate, has_separate)) if has]
        if not halves:
            return Score(recall=0.0, precision=0.0, f1=0.0)
        return Score(
            recall=sum(h.recall for h in halves) / len(halves),
            precision=sum(h.precision for h in halves) / len(halves),
            f1=sum(h.f1 for h in halves) / len(halves),
        )

    def scores(self, totals: Mapping[str, Floats]) -> Scores:
        coreferent = _halves(totals, "coreferent")
        separate = _halves(totals, "separate")
        has_coreferent = totals["key_coreferent"] != 0
        has_separate = totals["key_separate"] != 0
        if self.edge == "both":
            has_coreferent = has_coreferent | (totals["response_coreferent"] != 0)
            has_separate = has_separate | (totals["response_separate"] != 0)
        count = has_coreferent.astype(np.float64) + has_separate

        def mean(first: Floats, second: Floats) -> Floats:
            return ratios(first * has_coreferent + second * has_separate, count)

        return Scores(
            recall=mean(coreferent.recall, separate.recall),
            precision=mean(coreferent.precision, separate.precision),
            f1=mean(coreferent.f1, separate.f1),
        )


def _half(total: dict[str, float], kind: str) -> Score:
    recall = ratio(total[f"shared_{kind}"], total[f"key_{kind}"])
    precision = ratio(total[f"shared_{kind}"], total[f"response_{kind}"])
    return Score(recall=recall, precision=precision, f1=harmonic(recall, precision))


def _halves(totals: Mapping[str, Floats], kind: str) -> Scores:
    recall = ratios(totals[f"shared_{kind}"], totals[f"key_{kind}"])
    precision = ratios(totals[f"shared_{kind}"], totals[f"response_{kind}"])
    return Scores(recall=recall, precision=precision, f1=harmonics(recall, precision))


def _link_sets(table: Contingency) -> Tally:
    """Both sides' own links; shared links are those among mentions that both sides have.

    Where mentions are repeated and no links are listed, the shared ones are pairs of key mentions,
    each in the last response chain that has it, as the CorefUD scorer counts them.
    """
    key_coreferent = table.per_key_document(pairs(table.key_size))
    response_coreferent = table.per_response_document(pairs(table.response_size))
    shared = table.per_document(pairs(table.key_indexed))
    key_twins = np.bincount(table.key, table.key_indexed, minlength=len(table.key_size))
    response_twins = np.bincount(table.response, table.key_indexed, minlength=len(table.response_size))
    twins = table.per_key_document(key_twins)
    # Inclusion and exclusion: of all pairs of twins, those in one key chain and those in one response
    # chain are taken away, and those in both, taken away twice, are added again.
    shared_separate = (
        pairs(twins)
        - table.per_key_document(pairs(key_twins))
        - table.per_response_document(pairs(response_twins))
        + shared
    )
    counts = (
        shared,
        key_coreferent,
        response_coreferent,
        shared_separate,
        pairs(table.key_mentions) - key_coreferent,
        pairs(table.response_mentions) - response_coreferent,
    )
    if table.links is not None:
        for column, listed in zip(counts, table.links.counts.T, strict=True):
            column[table.links.document] = listed
    return _counts(*counts)


def _response_pairs(table: Contingency) -> Tally:
    """All pairs of response mentions; mentions the key lacks go to the document's first chain."""
    first = np.full(table.documents, len(table.key_size), np.int64)
    np.minimum.at(first, table.key_document, np.arange(len(table.key_size)))
    # A document without key chains gets a chain of its own for what the key lacks.
    first = np.where(first == len(table.key_size), first + np.arange(table.documents), first)
    stray = np.flatnonzero(table.response_twinless)
    key = np.concatenate([table.key, first[table.response_document[stray]]])
    response = np.concatenate([table.response, stray])
    count = np.concatenate([table.indexed, table.response_twinless[stray]])
    width = max(len(table.response_size), 1)
    code, where = np.unique(key * width + response, return_inverse=True)
    cell = np.bincount(where, count, minlength=len(code))
    key, response = np.divmod(code, width)
    document = table.response_document[response]

    def per_document(values: np.ndarray, of: np.ndarray) -> Floats:
        return np.bincount(of, values, minlength=table.documents).astype(np.float64)

    attracted = per_document(pairs(cell), document)
    response_total = np.bincount(response, cell, minlength=len(table.response_size))
    response_coreferent = per_document(pairs(response_total), table.response_document)
    key_number, key_where = np.unique(key, return_inverse=True)
    key_total = np.bincount(key_where, cell)
    key_doc = np.zeros(len(key_number), np.int64)
    key_doc[key_where] = document
    key_coreferent = per_document(pairs(key_total), key_doc)
    everything = pairs(per_document(cell, document))
    key_separate = everything - key_coreferent
    response_separate = everything - response_coreferent
    # Inclusion and exclusion, as in _link_sets.
    repelled = everything - key_coreferent - response_coreferent + attracted
    return _counts(attracted, key_coreferent, response_coreferent, repelled, key_separate, response_separate)


def _counts(
    shared: Floats,
    key: Floats,
    response: Floats,
    shared_separate: Floats,
    key_separate: Floats,
    response_separate: Floats,
) -> Tally:
    return Tally.of(
        shared_coreferent=shared,
        key_coreferent=key,
        response_coreferent=response,
        shared_separate=shared_separate,
        key_separate=key_separate,
        response_separate=response_separate,
    )
